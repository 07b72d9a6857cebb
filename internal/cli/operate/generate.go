package operate

import (
	"os"
	"strconv"
	"strings"

	"github.com/plumb-iac/plumb/diag"
	"github.com/plumb-iac/plumb/engine"
	"github.com/plumb-iac/plumb/internal/osfiles"
	"github.com/plumb-iac/plumb/plan"
)

// generatedMark stands above what was generated, for people and tools that look
// for it; generatedHead begins the file.
const (
	generatedMark = "# __generated__ by Plumb"
	generatedHead = generatedMark + "\n# Please review these resources and move them into your main configuration files.\n"
)

// generateTarget checks that configuration can be generated where asked.
func (p *operation) generateTarget() diag.List {
	if p.o.GenerateConfig == "" {
		return nil
	}
	if _, err := os.Stat(p.o.GenerateConfig); err == nil {
		return diag.List{diag.Err("Target generated file already exists",
			"Generated configuration is written to new files only, and "+p.o.GenerateConfig+" exists. Name another file, or move this one away.").By(diag.Operator)}
	}
	return nil
}

// generate writes blocks to the file of -generate-config-out. It says whether there
// was anything to write.
func (p *operation) generate(blocks string) (written bool, diags diag.List) {
	if p.o.GenerateConfig == "" || blocks == "" {
		return false, nil
	}
	if err := osfiles.Replace(p.o.GenerateConfig, osfiles.Replacement{Content: osfiles.Bytes([]byte(generatedHead + blocks))}); err != nil {
		return false, diag.List{diag.Err("Failed to write generated configuration", err.Error()).By(diag.Operator)}
	}
	return true, nil
}

// plannedBlocks are those that a plan has for imports without configuration.
func plannedBlocks(doc *plan.Document) string {
	var b strings.Builder
	for _, c := range doc.Changes {
		if c.GeneratedConfig == "" {
			continue
		}
		b.WriteString("\n" + generatedMark)
		if c.Importing != nil && c.Importing.ID != "" {
			b.WriteString(" from " + strconv.Quote(c.Importing.ID))
		}
		b.WriteString("\n" + strings.TrimSpace(c.GeneratedConfig) + "\n")
	}
	return b.String()
}

// foundBlocks are those for what a query found.
func foundBlocks(lists []*engine.Listing) string {
	var b strings.Builder
	for _, l := range lists {
		if len(l.Found) == 0 || l.Found[0].Config == "" {
			continue
		}
		b.WriteString("\n" + generatedMark + "\n")
		for _, o := range l.Found {
			b.WriteString(o.Config + "\n\n" + o.Import + "\n\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}
