package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// law is how much more four times the objects may cost.
const law = 4.4

// steps are the commands of one round, in order.
var steps = []struct {
	name string
	args []string
}{
	{"new plan", []string{"plan", "-input=false", "-no-color"}},
	{"apply", []string{"apply", "-auto-approve", "-input=false", "-no-color"}},
	{"no-op plan", []string{"plan", "-input=false", "-no-color"}},
	{"destroy", []string{"destroy", "-auto-approve", "-input=false", "-no-color"}},
}

// cost is what one command took.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes
}

func main() {
	plumb := flag.String("plumb", "bin/plumb", "the plumb binary")
	sizes := flag.String("sizes", "1000,10000,100000", "numbers of objects")
	base := flag.Int("growth", 10000, "objects of the growth law's first round; 0 skips it")
	peer := flag.String("peer", "", "another CLI to measure beside; empty looks for terraform and tofu on PATH")
	peerMax := flag.Int("peer-max", 1000, "the largest size the other CLI is given")
	flag.Parse()
	if err := run(*plumb, *sizes, *base, *peer, *peerMax); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(plumb, sizes string, base int, peer string, peerMax int) error {
	plumb, err := filepath.Abs(plumb)
	if err != nil {
		return err
	}
	if peer == "" {
		peer = onPath("terraform", "tofu")
	}
	fmt.Println("| objects | command | plumb wall | plumb CPU | plumb peak | " + name(peer) + " wall | CPU | peak |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, text := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		if err := compare(plumb, peer, n, n <= peerMax); err != nil {
			return err
		}
	}
	if err := load(plumb, peer); err != nil {
		return err
	}
	if err := calls(plumb); err != nil {
		return err
	}
	if base > 0 {
		return growth(plumb, base)
	}
	return nil
}

func onPath(names ...string) string {
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	return ""
}

func name(peer string) string {
	if peer == "" {
		return "(no other)"
	}
	return filepath.Base(peer)
}

// compare prints a row a command.
func compare(plumb, peer string, n int, withPeer bool) error {
	ours, err := round(plumb, n)
	if err != nil {
		return err
	}
	theirs := make([]cost, len(steps))
	if withPeer = withPeer && peer != ""; withPeer {
		if theirs, err = round(peer, n); err != nil {
			return err
		}
	}
	for i, s := range steps {
		fmt.Printf("| %d | %s | %s |", n, s.name, ours[i])
		if withPeer {
			fmt.Printf(" %s |\n", theirs[i])
		} else {
			fmt.Println(" – | – | – |")
		}
	}
	return nil
}

func (c cost) String() string {
	return fmt.Sprintf("%.2f s | %.2f s | %d MB", c.wall.Seconds(), c.cpu.Seconds(), c.peak>>20)
}

// A size is measured fewest times at least, and most times at most. The best
// figure of each step counts, since what else the machine does only ever adds: a
// program that breaks the law breaks it in every round, a busy machine does not
// keep one that holds it from a quiet round.
const fewest, most = 4, 12

// growth fails when four times the objects cost too much more. The sizes take
// turns, so that both meet the same machine.
func growth(plumb string, n int) error {
	var small, large []cost
	var ratios []ratio
	rounds := 0
	for rounds < fewest || rounds < most && broken(ratios) {
		for _, size := range []struct {
			n    int
			best *[]cost
		}{{n, &small}, {4 * n, &large}} {
			costs, err := round(plumb, size.n)
			if err != nil {
				return err
			}
			*size.best = best(*size.best, costs)
		}
		ratios = compared(small, large)
		rounds++
	}
	fmt.Printf("\n| command (best of %d) | CPU %d → %d | peak |\n|---|---|---|\n", rounds, n, 4*n)
	for i, r := range ratios {
		fmt.Printf("| %s | ×%.2f | ×%.2f |\n", steps[i].name, r.cpu, r.peak)
	}
	if broken(ratios) {
		return fmt.Errorf("the growth law (at most ×%.1f) is broken", law)
	}
	return nil
}

// ratio is what a step costs with more objects, in terms of what it costs with fewer.
type ratio struct{ cpu, peak float64 }

func compared(small, large []cost) []ratio {
	out := make([]ratio, len(small))
	for i := range small {
		out[i] = ratio{
			cpu:  large[i].cpu.Seconds() / small[i].cpu.Seconds(),
			peak: float64(large[i].peak) / float64(small[i].peak),
		}
	}
	return out
}

func broken(ratios []ratio) bool {
	return slices.ContainsFunc(ratios, func(r ratio) bool { return r.cpu > law || r.peak > law })
}

// best is the better of two rounds, step by step.
func best(one, two []cost) []cost {
	if one == nil {
		return two
	}
	out := make([]cost, len(one))
	for i := range one {
		out[i] = cost{min(one[i].wall, two[i].wall), min(one[i].cpu, two[i].cpu), min(one[i].peak, two[i].peak)}
	}
	return out
}

// round runs all steps in a fresh directory.
func round(binary string, n int) ([]cost, error) {
	dir, err := os.MkdirTemp("", "plumb-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source := fmt.Sprintf("resource \"terraform_data\" \"a\" {\n  count = %d\n  input = \"value ${count.index}\"\n}\n", n)
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(source), 0o600); err != nil {
		return nil, err
	}
	if _, err := measure(binary, dir, "init", "-input=false", "-no-color"); err != nil {
		return nil, err
	}
	costs := make([]cost, len(steps))
	for i, s := range steps {
		if costs[i], err = measure(binary, dir, s.args...); err != nil {
			return nil, err
		}
	}
	return costs, nil
}

// measure runs one command to its end.
func measure(binary, dir string, args ...string) (cost, error) {
	out, err := os.CreateTemp("", "plumb-bench-out-")
	if err != nil {
		return cost{}, err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, out
	cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1")
	start := time.Now()
	if err := cmd.Run(); err != nil {
		said, _ := os.ReadFile(out.Name())
		if len(said) > 2000 {
			said = said[len(said)-2000:]
		}
		return cost{}, fmt.Errorf("%s %s: %w\n%s", binary, strings.Join(args, " "), err, said)
	}
	wall := time.Since(start)
	return cost{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak: peak(cmd.ProcessState)}, nil
}
