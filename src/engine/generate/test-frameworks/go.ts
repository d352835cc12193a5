import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'go',
  label: 'Go',
  // The Go command ignores this folder in packages.
  folder: 'testdata/fixtures',
  test: ({ brand, header }) => ({
    path: 'webhooks_test.go',
    text: `${header.map((line) => `// ${line}`.trimEnd()).join('\n')}

package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	url    = setting("WEBHOOK_URL", "http://127.0.0.1:3000/webhooks")
	secret = setting("WEBHOOK_SECRET", "test-secret")
	client = &http.Client{
		Timeout: 10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
)

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// sign signs the exact bytes: a parsed and formatted body has another signature.
func sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// send returns the status of the response. An empty signature is not sent.
func send(t *testing.T, file string, body []byte, signature string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	headers := read(t, strings.TrimSuffix(file, ".json")+".headers")
	for _, line := range strings.Split(string(headers), "\\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			request.Header.Add(name, strings.TrimSpace(value))
		}
	}
	if signature != "" {
		request.Header.Set("${headerName(brand, 'signature')}", signature)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestWebhooks(t *testing.T) {
	files, err := filepath.Glob("testdata/fixtures/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		body := read(t, file)
		// It is still valid JSON: only its signature is wrong.
		changed := append(body, ' ')
		for _, test := range []struct {
			name      string
			body      []byte
			signature string
			class     int
			times     int
		}{
			{"valid signature", body, sign(body), 2, 1},
			{"changed body", changed, sign(body), 4, 1},
			{"no signature", body, "", 4, 1},
			{"delivered twice", body, sign(body), 2, 2},
		} {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".json")+"/"+test.name, func(t *testing.T) {
				for i := 0; i < test.times; i++ {
					if status := send(t, file, test.body, test.signature); status/100 != test.class {
						t.Errorf("got status %d, want %dxx", status, test.class)
					}
				}
			})
		}
	}
}
`,
  }),
})
