package embedded

import "os"

// Quiet keeps the loggers of the plugin framework silent, which in a process of
// their own write where the engine collects them and inside this one write to
// the person's terminal. The framework reads its levels from the process
// environment and nowhere else, so that the one who owns the process has to
// call this. A level that somebody set stays.
func Quiet() error {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_STD"} {
		if os.Getenv(name) != "" {
			continue
		}
		if err := os.Setenv(name, "OFF"); err != nil {
			return err
		}
	}
	return nil
}
