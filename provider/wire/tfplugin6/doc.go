// Package tfplugin6 owns the messages of provider protocol 6, generated from the
// definition beside this file by make proto. Package wire alone uses it.
package tfplugin6
