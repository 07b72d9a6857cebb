// Package tfplugin5 owns the messages of provider protocol 5, generated from the
// definition beside this file by make proto. Package wire alone uses it.
package tfplugin5
