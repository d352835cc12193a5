#!/usr/bin/env bash
# openapi-zod-client 1.18.3: of an OpenAPI 3.1 document that has `webhooks` and `components`, but no `paths`, it writes an API without endpoints and
# without schemas, says that it is done, and exits with 0.
. "$(dirname "$0")/common.sh"
npm_packages openapi-zod-client@1.18.3
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Orders", "version": "1" },
  "paths": {},
  "webhooks": {
    "placed": {
      "post": {
        "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Placed" } } } },
        "responses": { "200": { "description": "" } }
      }
    }
  },
  "components": { "schemas": { "Placed": { "type": "object", "properties": { "id": { "type": "string" } } } } }
}
JSON
said=$(npx openapi-zod-client openapi.json -o made.ts)
expect 'Done generating, 0 schemas' "$(grep -o 'Done generating' <<<"$said"), $(grep -c 'z\.object' made.ts || true) schemas"
