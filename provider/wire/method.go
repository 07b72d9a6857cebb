package wire

import "strconv"

// Protocol is the major version of the provider protocol.
type Protocol int

// The versions that exist.
const (
	V5 Protocol = 5
	V6 Protocol = 6
)

// rpc is one of the service's methods.
type rpc uint8

const (
	rpcSchema rpc = iota
	rpcIdentitySchemas
	rpcValidateProvider
	rpcConfigure
	rpcStop
	rpcValidateResource
	rpcUpgradeState
	rpcRead
	rpcPlan
	rpcApply
	rpcImport
	rpcMove
	rpcUpgradeIdentity
	rpcGenerateConfig
	rpcValidateData
	rpcReadData
	rpcValidateEphemeral
	rpcOpen
	rpcRenew
	rpcClose
	rpcCallFunction
	rpcValidateList
	rpcList
	rpcValidateAction
	rpcPlanAction
	rpcInvokeAction
	rpcValidateStateStore
	rpcConfigureStateStore
	rpcGetStates
	rpcReadState
	rpcWriteState
	rpcDeleteState
	rpcLockState
	rpcUnlockState
)

// methods names each rpc in both versions. Version 5 is empty where it is the
// same.
var methods = [...]struct{ v6, v5 string }{
	rpcSchema:            {"GetProviderSchema", "GetSchema"},
	rpcIdentitySchemas:   {"GetResourceIdentitySchemas", ""},
	rpcValidateProvider:  {"ValidateProviderConfig", "PrepareProviderConfig"},
	rpcConfigure:         {"ConfigureProvider", "Configure"},
	rpcStop:              {"StopProvider", "Stop"},
	rpcValidateResource:  {"ValidateResourceConfig", "ValidateResourceTypeConfig"},
	rpcUpgradeState:      {"UpgradeResourceState", ""},
	rpcRead:              {"ReadResource", ""},
	rpcPlan:              {"PlanResourceChange", ""},
	rpcApply:             {"ApplyResourceChange", ""},
	rpcImport:            {"ImportResourceState", ""},
	rpcMove:              {"MoveResourceState", ""},
	rpcUpgradeIdentity:   {"UpgradeResourceIdentity", ""},
	rpcGenerateConfig:    {"GenerateResourceConfig", ""},
	rpcValidateData:      {"ValidateDataResourceConfig", "ValidateDataSourceConfig"},
	rpcReadData:          {"ReadDataSource", ""},
	rpcValidateEphemeral: {"ValidateEphemeralResourceConfig", ""},
	rpcOpen:              {"OpenEphemeralResource", ""},
	rpcRenew:             {"RenewEphemeralResource", ""},
	rpcClose:             {"CloseEphemeralResource", ""},
	rpcCallFunction:      {"CallFunction", ""},
	rpcValidateList:      {"ValidateListResourceConfig", ""},
	rpcList:              {"ListResource", ""},
	rpcValidateAction:    {"ValidateActionConfig", ""},
	rpcPlanAction:        {"PlanAction", ""},
	rpcInvokeAction:      {"InvokeAction", ""},

	// Only version 6 has these.
	rpcValidateStateStore:  {"ValidateStateStoreConfig", ""},
	rpcConfigureStateStore: {"ConfigureStateStore", ""},
	rpcGetStates:           {"GetStates", ""},
	rpcReadState:           {"ReadStateBytes", ""},
	rpcWriteState:          {"WriteStateBytes", ""},
	rpcDeleteState:         {"DeleteState", ""},
	rpcLockState:           {"LockState", ""},
	rpcUnlockState:         {"UnlockState", ""},
}

// name is the method's name in a version.
func (r rpc) name(p Protocol) string {
	if m := methods[r]; p == V5 && m.v5 != "" {
		return m.v5
	}
	return methods[r].v6
}

// path is the method as gRPC addresses it.
func (r rpc) path(p Protocol) string {
	return "/tfplugin" + strconv.Itoa(int(p)) + ".Provider/" + r.name(p)
}
