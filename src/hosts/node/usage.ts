/** The command was not understood: words for stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `tabscope <command> [options]

  serve       the interface in a browser, and the listener
                [--port N] [--ui-port N] [--no-open] [--secret S | --secret-env NAME] [--json]
  listen      the listener alone; each delivery is a line
                [--port N] [--secret S | --secret-env NAME] [--json]
  trigger     send samples as the service would
                TYPE | all | evening  [--to URL] [--secret S | --secret-env NAME] [--set path=value ...]
                [--count N] [--rate N] [--json]
  deliveries  list [--limit N] [--json]
              show ID [--body | --json]
  verify      check a signature: exit code 0 when it is valid, 1 when not
                --secret S | --secret-env NAME  --signature HEX  FILE|-  [--json]
  sandbox     the service in miniature, to try a client on: authorization, tokens, webhooks, a dashboard
                [--port N] [--redirect-url URL ...] [--token-lifetime SECONDS] [--fault NAME ...]
                [--webhook-url URL] [--secret S | --secret-env NAME] [--rate N] [--json]

Every command takes --data DIR, the folder that holds the data. --json prints one JSON object a line on stdout.
Port 0 lets the system choose. Exit codes: 0 done, 1 failed, 2 not understood.`
