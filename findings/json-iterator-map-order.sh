#!/usr/bin/env bash
# json-iterator for Go 1.1.12, Go 1.19.8, ConfigDefault.
# A map with up to eight keys is not written in any of its orders: it starts at a random key, and goes on in the order in which the keys were
# added. Five keys have 5 orders, not 120.
. "$(dirname "$0")/common.sh"
debian golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 golang-github-json-iterator-go-dev=1.1.12-1 \
  golang-github-modern-go-concurrent-dev=1.0.3-1.1 golang-github-modern-go-reflect2-dev=1.0.2-2
# The package links its sources to a place outside of the temporary folder.
mv unpacked/usr/share/go-1.19 go
cp -r unpacked/usr/lib/go-1.19/bin unpacked/usr/lib/go-1.19/VERSION go/
cp -r unpacked/usr/lib/go-1.19/pkg/tool unpacked/usr/lib/go-1.19/pkg/linux_* go/pkg/
cat >main.go <<'GO'
package main

import (
	"fmt"
	"sort"

	jsoniter "github.com/json-iterator/go"
)

func main() {
	seen := map[string]bool{}
	for run := 0; run < 2000; run++ {
		order := map[string]interface{}{}
		if err := jsoniter.UnmarshalFromString(`{"a":1,"b":2,"c":3,"d":4,"e":5}`, &order); err != nil {
			panic(err)
		}
		text, err := jsoniter.MarshalToString(order)
		if err != nil {
			panic(err)
		}
		keys := ""
		for at := 2; at < len(text); at += 6 {
			keys += text[at : at+1]
		}
		seen[keys] = true
	}
	all := []string{}
	for keys := range seen {
		all = append(all, keys)
	}
	sort.Strings(all)
	fmt.Println(all)
}
GO
got=$(GOROOT="$work/go" GOPATH="$work/unpacked/usr/share/gocode" GOCACHE="$work/cache" GO111MODULE=off GOFLAGS= go/bin/go run main.go)
expect '[abcde bcdea cdeab deabc eabcd]' "$got"
