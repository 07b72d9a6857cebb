package std

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// fileData is the data source std_file: a file somebody else wrote.
type fileData struct{}

type fileDataModel struct {
	Path           types.String `tfsdk:"path"`
	Content        types.String `tfsdk:"content"`
	ContentBase64  types.String `tfsdk:"content_base64"`
	FilePermission types.String `tfsdk:"file_permission"`
	ID             types.String `tfsdk:"id"`
	SHA256         types.String `tfsdk:"sha256"`
	MD5            types.String `tfsdk:"md5"`
	Size           types.Int64  `tfsdk:"size"`
}

func (fileData) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_file"
}

func (fileData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Reads a file. Unlike the function `file`, it can read what a resource of the same configuration writes.",
		Attributes: map[string]schema.Attribute{
			"path": schema.StringAttribute{
				MarkdownDescription: "Where the file is. It must exist.",
				Required:            true,
				Validators:          []validator.String{filled()},
			},
			"content": schema.StringAttribute{
				MarkdownDescription: "The content, or null if it is not UTF-8 text.",
				Computed:            true,
			},
			"content_base64": schema.StringAttribute{
				MarkdownDescription: "The content as standard base64.",
				Computed:            true,
			},
			"file_permission": schema.StringAttribute{
				MarkdownDescription: "Permission bits in octal, such as `\"0644\"`.",
				Computed:            true,
			},
			"id":     schema.StringAttribute{MarkdownDescription: "The same as `path`.", Computed: true},
			"sha256": schema.StringAttribute{MarkdownDescription: "SHA-256 digest in hexadecimal.", Computed: true},
			"md5":    schema.StringAttribute{MarkdownDescription: "MD5 digest in hexadecimal.", Computed: true},
			"size":   schema.Int64Attribute{MarkdownDescription: "Length in bytes.", Computed: true},
		},
	}
}

func (fileData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model fileDataModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := readFile(model.Path.ValueString())
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("path"), "Cannot read file", "The file cannot be read: "+err.Error()+".")
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model.found(found))...)
}

func (m fileDataModel) found(f diskFile) fileDataModel {
	if text, isText := f.text(); isText {
		m.Content = types.StringValue(text)
	} else {
		m.Content = types.StringNull()
	}
	m.ContentBase64 = types.StringValue(f.base64())
	m.FilePermission = types.StringValue(f.permission())
	m.ID = m.Path
	m.SHA256 = types.StringValue(sha256Hex(f.content))
	m.MD5 = types.StringValue(md5Hex(f.content))
	m.Size = types.Int64Value(int64(len(f.content)))
	return m
}
