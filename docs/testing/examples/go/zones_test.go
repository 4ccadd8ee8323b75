package zones

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const token = "a-token-for-the-tests-of-this-project-0001"

var baseURL string

// One Zoneward for all tests of the package. Needs zoneward on the path, or RUN_ZONEWARD.
func TestMain(m *testing.M) {
	command := strings.Fields(os.Getenv("RUN_ZONEWARD"))
	if len(command) == 0 {
		command = []string{"zoneward"}
	}
	args := append(command[1:], "serve", "--ephemeral", "--port=0", "--test-controls", "--log-level=silent")
	server := exec.Command(command[0], args...)
	server.Env = append(os.Environ(), "ZONEWARD_OWNER_TOKEN="+token)
	output, _ := server.StdoutPipe()
	if err := server.Start(); err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(output)
	for baseURL == "" && lines.Scan() {
		if strings.Contains(lines.Text(), "Base URL") {
			baseURL = regexp.MustCompile(`http\S+`).FindString(lines.Text())
		}
	}
	code := m.Run()
	_ = server.Process.Kill()
	os.Exit(code)
}

func send(t *testing.T, method, url, body string) []byte {
	t.Helper()
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct{ Result json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(method, url, response.Status, err)
	}
	return answer.Result
}

func reset(t *testing.T) {
	t.Helper()
	send(t, "POST", strings.TrimSuffix(baseURL, "/client/v4")+"/test/v1/reset", "")
}

func TestCreatesAZone(t *testing.T) {
	reset(t)
	send(t, "POST", baseURL+"/zones", `{"name":"example.com"}`)
	if zones := string(send(t, "GET", baseURL+"/zones", "")); !strings.Contains(zones, "example.com") {
		t.Fatal(zones)
	}
}

func TestBeginsWithNothing(t *testing.T) {
	reset(t)
	if zones := string(send(t, "GET", baseURL+"/zones", "")); zones != "[]" {
		t.Fatal(zones)
	}
}
