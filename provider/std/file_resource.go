package std

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// fileResource is std_file: one regular file with the given content.
type fileResource struct{}

var (
	_ resource.ResourceWithConfigValidators = fileResource{}
	_ resource.ResourceWithModifyPlan       = fileResource{}
	_ resource.ResourceWithImportState      = fileResource{}
	_ resource.ResourceWithIdentity         = fileResource{}
	_ resource.ResourceWithMoveState        = fileResource{}
)

type fileModel struct {
	Path                types.String `tfsdk:"path"`
	Content             types.String `tfsdk:"content"`
	ContentBase64       types.String `tfsdk:"content_base64"`
	SensitiveContent    types.String `tfsdk:"sensitive_content"`
	FilePermission      types.String `tfsdk:"file_permission"`
	DirectoryPermission types.String `tfsdk:"directory_permission"`
	ID                  types.String `tfsdk:"id"`
	SHA256              types.String `tfsdk:"sha256"`
	MD5                 types.String `tfsdk:"md5"`
	Size                types.Int64  `tfsdk:"size"`
}

func (fileResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_file"
}

func (fileResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A file on the machine that runs the engine. A change made to it elsewhere is noticed and undone; a file removed elsewhere is created again.",
		Attributes: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				MarkdownDescription: "Where the file is, relative to the working directory or absolute. Missing parent directories are created. Changing it replaces the file.",
				Required:            true,
				Validators:          []validator.String{filled()},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"content": schema.StringAttribute{
				MarkdownDescription: "What the file contains, as text. At most one of `content`, `content_base64` and `sensitive_content` may be set; with none of them the file is empty.",
				Optional:            true,
			},
			"content_base64": schema.StringAttribute{
				MarkdownDescription: "What the file contains, as standard base64; for content that is not text.",
				Optional:            true,
				Validators:          []validator.String{base64Text()},
			},
			"sensitive_content": schema.StringAttribute{
				MarkdownDescription: "What the file contains, as text that is never shown. It is stored in the state like any other attribute.",
				Optional:            true,
				Sensitive:           true,
			},
			"file_permission": schema.StringAttribute{
				MarkdownDescription: "Permission bits of the file in octal, set exactly, whatever the umask. Default `\"0644\"`, or `\"0600\"` with `sensitive_content`.",
				Optional:            true,
				Computed:            true,
				Validators:          []validator.String{octalMode()},
			},
			"directory_permission": schema.StringAttribute{
				MarkdownDescription: "Permission bits in octal of directories that have to be created. Default `\"0755\"`.",
				Optional:            true,
				Computed:            true,
				Default:             stringdefault.StaticString("0755"),
				Validators:          []validator.String{octalMode()},
			},
			"id": schema.StringAttribute{
				MarkdownDescription: "The same as `path`.",
				Computed:            true,
			},
			"sha256": schema.StringAttribute{
				MarkdownDescription: "SHA-256 digest of the content in hexadecimal, known when planning if the content is.",
				Computed:            true,
			},
			"md5": schema.StringAttribute{
				MarkdownDescription: "MD5 digest of the content in hexadecimal, for services that ask for it. Proves nothing.",
				Computed:            true,
			},
			"size": schema.Int64Attribute{
				MarkdownDescription: "Length of the content in bytes.",
				Computed:            true,
			},
		},
	}
}

// IdentitySchema: a file is identified by its path.
func (fileResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"path": identityschema.StringAttribute{
				Description:       "Where the file is.",
				RequiredForImport: true,
			},
		},
	}
}

func (fileResource) ConfigValidators(context.Context) []resource.ConfigValidator {
	return []resource.ConfigValidator{exclusive{"content", "content_base64", "sensitive_content"}}
}

// wanted is the content the model asks for, and whether it is known.
func (m fileModel) wanted() ([]byte, bool) {
	if m.Content.IsUnknown() || m.ContentBase64.IsUnknown() || m.SensitiveContent.IsUnknown() {
		return nil, false
	}
	switch {
	case !m.ContentBase64.IsNull():
		b, err := base64.StdEncoding.DecodeString(m.ContentBase64.ValueString())
		return b, err == nil
	case !m.SensitiveContent.IsNull():
		return []byte(m.SensitiveContent.ValueString()), true
	default:
		return []byte(m.Content.ValueString()), true
	}
}

// digest fills in everything that follows from path and content.
func (m fileModel) digest() fileModel {
	m.ID = m.Path
	content, known := m.wanted()
	if !known {
		m.SHA256, m.MD5, m.Size = types.StringUnknown(), types.StringUnknown(), types.Int64Unknown()
		return m
	}
	m.SHA256 = types.StringValue(sha256Hex(content))
	m.MD5 = types.StringValue(md5Hex(content))
	m.Size = types.Int64Value(int64(len(content)))
	return m
}

// found is the model with what is on disk, put into the attribute the content
// came from, so that the difference shows where the author looks for it.
func (m fileModel) found(f diskFile) fileModel {
	text, isText := f.text()
	wanted, known := m.wanted()
	switch {
	case known && bytes.Equal(wanted, f.content):
	case !m.ContentBase64.IsNull():
		m.ContentBase64 = types.StringValue(f.base64())
	case !isText:
		m.Content, m.SensitiveContent = types.StringNull(), types.StringNull()
		m.ContentBase64 = types.StringValue(f.base64())
	case !m.SensitiveContent.IsNull():
		m.SensitiveContent = types.StringValue(text)
	default:
		m.Content = types.StringValue(text)
	}
	if m.FilePermission.IsNull() || modesExist() && parseMode(m.FilePermission.ValueString()) != f.mode {
		m.FilePermission = types.StringValue(f.permission())
	}
	if m.DirectoryPermission.IsNull() {
		m.DirectoryPermission = types.StringValue("0755")
	}
	return m.digest()
}

// ModifyPlan plans the digests and the default permission.
func (fileResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var config, plan fileModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	switch {
	case !config.FilePermission.IsNull():
	case !config.SensitiveContent.IsNull():
		plan.FilePermission = types.StringValue("0600")
	default:
		plan.FilePermission = types.StringValue("0644")
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, plan.digest())...)
}

func (m fileModel) write(diags *diag.Diagnostics) {
	content, known := m.wanted()
	if !known {
		diags.AddAttributeError(path.Root("content_base64"), "Invalid value", "content_base64 must be standard base64 with padding.")
		return
	}
	at := m.Path.ValueString()
	err := writeFile(at, content, parseMode(m.FilePermission.ValueString()), parseMode(m.DirectoryPermission.ValueString()))
	if err != nil {
		diags.AddAttributeError(path.Root("path"), "Cannot write file", "The file "+at+" was left as it was: "+err.Error()+".")
	}
}

func (fileResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan fileModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.write(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan.digest())...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("path"), plan.Path)...)
}

func (fileResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state fileModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	// The identity is told even of a file that is gone.
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("path"), state.Path)...)
	found, err := readFile(state.Path.ValueString())
	if errors.Is(err, fs.ErrNotExist) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("path"), "Cannot read file", "What the file contains now cannot be told: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, state.found(found))...)
}

func (fileResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan fileModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	plan.write(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, plan.digest())...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("path"), plan.Path)...)
}

func (fileResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var at types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("path"), &at)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := os.Remove(at.ValueString()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		resp.Diagnostics.AddAttributeError(path.Root("path"), "Cannot remove file", "The file is still there: "+err.Error()+".")
	}
}

// ImportState takes the path; the read that follows finds the rest.
func (fileResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughWithIdentity(ctx, path.Root("path"), path.Root("path"), req, resp)
}

// MoveState carries over the files of the provider hashicorp/local.
func (fileResource) MoveState(context.Context) []resource.StateMover {
	rename := map[string]string{"path": "filename", "id": "filename", "sha256": "content_sha256", "md5": "content_md5"}
	secret := func(attrs map[string]any) {
		attrs["sensitive_content"], attrs["content"] = attrs["content"], nil
	}
	return movers(
		origin{provider: "hashicorp/local", resource: "local_file", rename: rename},
		origin{provider: "hashicorp/local", resource: "local_sensitive_file", rename: rename, fix: secret},
	)
}
