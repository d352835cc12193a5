/** The command was not understood: words for stderr, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `tabscope <command> [options]

  serve       the interface in a browser, and the listener
                [--port N] [--ui-port N] [--no-open] [--secret S | --secret-env NAME] [--json]
  listen      the listener alone; each delivery is a line
                [--port N] [--secret S | --secret-env NAME] [--json]
                both: [--forward-to URL ...] [--forward-types A,B] [--forward-answer] [--forward-retries N]
                      [--tunnel localtunnel[:SUBDOMAIN][@HOST] | manual:URL | cloudflared | ngrok[:DOMAIN] | none]
  trigger     send samples as the service would
                TYPE | all | evening  [--to URL | --through-tunnel] [--secret S | --secret-env NAME]
                [--set path=value ...] [--count N] [--rate N] [--sign-wrong base64|prefix|pretty|line-break|...] [--json]
  deliveries  list [--filter FILTER] [--limit N] [--json]
                FILTER as in the interface: type:ORDER_PLACED verdict:invalid since:2h "free text" -location:"Pier 9"
              show ID [--body | --json]
              headers ID [--json]   each header against the document and the endpoint
              note ID TEXT | tag ID TAG ... [--remove] | pin ID | unpin ID  [--json]
              attempts ID [--json]  what was sent of it, newest first
              trace ID [--json]     the life of the tab, order, guest ... that it is about
              related ID [--json]   the same again, and what the throttle of QR codes tells
              diagnose ID [--secret-env NAME | --secret-stdin] [--all] [--json]
                why the signature failed; a secret that is given is tried, and not kept
              each but note, tag, pin, unpin takes --log FILE|ID: of an event log, which is imported if it was not
  resend      send captured deliveries again, byte for byte or edited
                ID ... | --filter FILTER | --continue JOB [--send-uncertain]
                [--to URL] [--body FILE|-] [--header 'K: V' ...] [--sign SECRET | --unsigned | --keep]
                [--sign-wrong digit|base64|prefix|other-secret] [--timeout MS] [--insecure] [--allow-target] [--json]
                SECRET is current or previous, or SLUG:current of another endpoint
                many: one by one [--stop-on-failure], or --rate N | --spacing SPEED | --width N
  compose     send a sample, a file, a template or an edited delivery
                --type TYPE | --from ID [--log FILE|ID] | --template NAME | --body FILE|-  [--to URL] [--method M] [--endpoint SLUG]
                [--set path=value ...] [--placeholders] and --header, --sign ... as with resend  [--json]
  forward     add URL [--endpoint SLUG] [--types A,B] [--answer] [--retries N] [--timeout MS] [--in-flight N] [--queue N]
              list | on ID | off ID | remove ID  [--json]
  respond     what is answered instead of 200
                --status N [--body TEXT] [--header 'K: V' ...] | --drop  [--type TYPE] [--delay MS]
                [--first N | --share 0..1] [--endpoint SLUG]  [--json]
              list | off [--endpoint SLUG]  [--json]
  tunnel      of the Tabscope that runs: status | open [localtunnel:NAME ...] | close | check | sizes
              history [--since TIME] [--limit N] | providers | copied [URL] | dismiss [KIND]  [--json]
  export      deliveries as a file for others, redacted: secrets, tokens, signatures, guests' phone numbers and e-mail addresses
                [--format ndjson|har|html|csv|markdown|curl|httpie|fetch] [-o FILE|-] [--gzip]
                [--filter FILTER] [--since TIME] [--before TIME] [--id ID ...] [--trace ID] [--log FILE|ID]
                [--redact-header NAME ...] [--redact-path PATH ...] [--no-redact [--yes]]
                [--without attempts,notes,authorization] [--target URL] [--preview] [--json]
                the format follows the end of FILE; without -o to stdout, or on a terminal to a file named by the time
  import      FILE ... | -  event logs (ndjson, gzip or not; HAR as well as may be), each beside the live store
                [--name NAME of what comes from stdin] [--json]
  logs        list | show ID | remove ID | formats  [--json]
  conformance for each type how many deliveries, which findings, when first and last
                [--since TIME] [--before TIME] [--log FILE|ID] [--json]
  verify      check a signature: exit code 0 when it is valid, 1 when not
                --secret S | --secret-env NAME  --signature HEX  FILE|-  [--json]
  sandbox     the service in miniature, to try a client on: authorization, tokens, webhooks, a dashboard
                [--port N] [--redirect-url URL ...] [--token-lifetime SECONDS] [--fault NAME ...]
                [--webhook-url URL] [--secret S | --secret-env NAME] [--rate N] [--json]
  integration set --name NAME [--base-url URL] [--access-id ID] [--access-secret-env VAR | --access-secret S]
                [--redirect-url URL ...] [--use-redirect-url URL] [--brand B] [--refresh-template FILE]
                [--auto-refresh on|off] [--due-before SECONDS] [--json]
              list | show NAME | check NAME | remove NAME  [--json]
  authorize   run the authorization code flow, and keep the token
                [--integration NAME] [--redirect-url URL] [--state S] [--label TEXT] [--replace ID]
                [--timeout SECONDS] [--no-open] [--json]
  token       list [--integration NAME] | show ID [--reveal [access|refresh]] | refresh ID | revoke-local ID
              label ID TEXT | remove ID  [--json]
  call        METHOD PATH  [--data BODY | @FILE | @-] [--header 'K: V' ...] [--query k=v ...]
                [--token ID | --no-token] [--integration NAME] [--allow-other-origin] [--no-follow]
                [--timeout MS] [--include] [--json]
  runs        list [--integration NAME] [--limit N] | show ID  [--json]

Every command takes --data DIR, the folder that holds the data; with call, whose --data is the body, --data-dir DIR.
--json prints one JSON object a line on stdout.
TIME is a time such as 2026-11-21T09:00, so long ago such as 2h or 3d, yesterday, or a day such as tuesday.
Port 0 lets the system choose. Exit codes: 0 done, 1 failed, 2 not understood.`
