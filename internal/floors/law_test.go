package floors

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// law is floors.txt as tables.
type law struct {
	floors   []floorRow
	siblings []siblingRow
	bans     []banRow
	bare     span
	only     []onlyRow
	// most are the limits of the house style; wide are interfaces that may have more
	// methods, concurrent packages that start goroutines, with the reasons.
	most             map[string]int
	wide, concurrent map[string]string
}

type floorRow struct {
	floor   int
	pattern string
}

type siblingRow struct{ from, to string }

type banRow struct {
	span   span
	what   string
	reason string
}

type onlyRow struct {
	what  string
	users []string
}

type span struct{ low, high int }

func (s span) has(floor int) bool { return s.low <= floor && floor <= s.high }

func readLaw(name string) (*law, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &law{bare: span{1, 0}, most: map[string]int{}, wide: map[string]string{}, concurrent: map[string]string{}}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := l.row(words); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return l, lines.Err()
}

func (l *law) row(words []string) error {
	least := map[string]int{"floor": 3, "sibling": 4, "ban": 4, "bare": 2, "only": 3, "most": 3, "wide": 3, "concurrent": 3}
	n, known := least[words[0]]
	if !known || len(words) < n {
		return fmt.Errorf("bad row %q", strings.Join(words, " "))
	}
	switch words[0] {
	case "floor":
		floor, err := strconv.Atoi(words[1])
		for _, p := range words[2:] {
			l.floors = append(l.floors, floorRow{floor, p})
		}
		return err
	case "sibling":
		l.siblings = append(l.siblings, siblingRow{words[1], words[2]})
	case "ban":
		s, err := parseSpan(words[1])
		l.bans = append(l.bans, banRow{s, words[2], strings.Join(words[3:], " ")})
		return err
	case "bare":
		s, err := parseSpan(words[1])
		l.bare = s
		return err
	case "only":
		l.only = append(l.only, onlyRow{words[1], words[2:]})
	case "most":
		n, err := strconv.Atoi(words[2])
		l.most[words[1]] = n
		return err
	case "wide":
		l.wide[words[1]] = strings.Join(words[2:], " ")
	case "concurrent":
		l.concurrent[words[1]] = strings.Join(words[2:], " ")
	}
	return nil
}

func parseSpan(s string) (span, error) {
	low, high, ranged := strings.Cut(s, "-")
	if !ranged {
		high = low
	}
	a, err := strconv.Atoi(low)
	if err != nil {
		return span{}, err
	}
	b, err := strconv.Atoi(high)
	return span{a, b}, err
}

// floorOf is the floor of a package, -1 for one that the law does not name.
func (l *law) floorOf(pkg string) int {
	best, floor := -1, -1
	for _, r := range l.floors {
		if matches(r.pattern, pkg) && len(r.pattern) > best {
			best, floor = len(r.pattern), r.floor
		}
	}
	return floor
}

// sibling says whether from may import to, both on one floor.
func (l *law) sibling(from, to string) bool {
	for _, r := range l.siblings {
		if matches(r.from, from) && matches(r.to, to) {
			return true
		}
	}
	return false
}

func matches(pattern, pkg string) bool {
	if base, below := strings.CutSuffix(pattern, "/..."); below {
		return pkg == base || strings.HasPrefix(pkg, base+"/")
	}
	return pattern == pkg
}
