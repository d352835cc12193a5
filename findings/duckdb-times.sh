#!/usr/bin/env bash
# DuckDB 1.5.6: a JSON file that is read and written again as JSON has other times: texts in ISO 8601 become timestamps, and lose their `T`, their
# `Z` and zeros at the end of the second.
. "$(dirname "$0")/common.sh"
npm_packages @duckdb/node-api@1.5.6-r.1
echo '{"createdAt":"2026-11-29T10:00:00.120Z","name":"Bar"}' >order.json
cat >main.mjs <<'JS'
import { DuckDBInstance } from '@duckdb/node-api'
const connection = await (await DuckDBInstance.create(':memory:')).connect()
const reader = await connection.runAndReadAll("SELECT to_json(o)::VARCHAR FROM read_json('order.json') o")
console.log(reader.getRows()[0][0])
JS
expect '{"createdAt":"2026-11-29 10:00:00.12","name":"Bar"}' "$(node main.mjs)"
