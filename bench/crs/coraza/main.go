// Judges requests with Coraza: `coraza RULES REQUESTS ROUNDS COUNT`, as libmodsecurity.c does.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	// Its rules are what is judged by.
	_ "github.com/corazawaf/coraza-coreruleset/v4"
	"github.com/corazawaf/coraza/v3"
)

func cpuMicroseconds() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Sec+usage.Stime.Sec)*1e6 + float64(usage.Utime.Usec+usage.Stime.Usec)
}

// Each request is the number of its fields, then method, target, headers in pairs and body.
func readRequests(path string) [][]string {
	file, err := os.Open(path)
	if err != nil {
		panic(err)
	}
	reader := bufio.NewReader(file)
	var requests [][]string
	for {
		var count int
		if _, err := fmt.Fscanf(reader, "%d\n", &count); err != nil {
			return requests
		}
		fields := make([]string, count)
		for index := range fields {
			var length int
			if _, err := fmt.Fscanf(reader, "%d", &length); err != nil {
				panic(err)
			}
			octets := make([]byte, length+2)
			if _, err := io.ReadFull(reader, octets); err != nil {
				panic(err)
			}
			fields[index] = string(octets[1 : length+1])
		}
		requests = append(requests, fields)
	}
}

func judge(waf coraza.WAF, request []string) {
	tx := waf.NewTransaction()
	last := len(request) - 1
	tx.ProcessConnection("192.0.2.1", 40000, "192.0.2.2", 80)
	tx.ProcessURI(request[1], request[0], "HTTP/1.1")
	for index := 2; index+1 <= last; index += 2 {
		tx.AddRequestHeader(request[index], request[index+1])
	}
	tx.ProcessRequestHeaders()
	if len(request[last]) > 0 {
		_, _, _ = tx.WriteRequestBody([]byte(request[last]))
	}
	_, _ = tx.ProcessRequestBody()
	_ = tx.Close()
}

func main() {
	waf, err := coraza.NewWAF(coraza.NewWAFConfig().WithDirectivesFromFile(os.Args[1]))
	if err != nil {
		panic(err)
	}
	requests := readRequests(os.Args[2])
	rounds, _ := strconv.Atoi(os.Args[3])
	count, _ := strconv.Atoi(os.Args[4])
	for round := -1; round < rounds; round++ {
		for index, request := range requests {
			before := cpuMicroseconds()
			for n := 0; n < count; n++ {
				judge(waf, request)
			}
			if round >= 0 {
				fmt.Printf("%d %.2f\n", index, (cpuMicroseconds()-before)/float64(count))
			}
		}
	}
}
