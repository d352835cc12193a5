import { redactedValues, redactionLimits } from '#contract/logs.ts'

/** What `export` redacts, under the words that `--keep` takes. */
const redactionLines = Object.entries(redactedValues)
  .map(([name, { values }]) => `                  ${name.padEnd(8)}  ${values}`)
  .join('\n')

const heading = 'tabscope <command> [options]'

/** What each command takes, as it stands in the list of all of them. */
const commandTexts = {
  start: `  start       the desktop app, as npm start; where it cannot run, serve with the same options`,
  serve: `  serve       the interface in a browser, and the listener; a FILE is an event log to open there
                [FILE ...] [--port N] [--ui-port N] [--no-open] [--ephemeral] [--secret S | --secret-env NAME] [--json]
                [--forward-to URL ...] [--forward-types A,B] [--forward-answer] [--forward-retries N] [--allow-target]
                [--tunnel TUNNEL]`,
  listen: `  listen      the listener alone; each delivery is a line
                [--port N] [--ephemeral] [--secret S | --secret-env NAME] [--json]
                [--forward-to URL ...] [--forward-types A,B] [--forward-answer] [--forward-retries N] [--allow-target]
                [--tunnel TUNNEL]`,
  tunnel: `  tunnel      of the Tabscope that runs: status | open [TUNNEL] [--yes] | close | check | sizes
              history [--since TIME] [--limit N] | providers | copied [URL] | dismiss [KIND]  [--json]`,
  export: `  export      deliveries as a file for others, redacted unless --no-redact
                [--format ndjson|har|html|csv|markdown|curl|httpie|fetch] [-o FILE|-] [--gzip]
                [--filter FILTER] [--since TIME] [--before TIME] [--id ID ...] [--trace ID] [--log FILE|ID]
                [--redact-header NAME ...] [--redact-path PATH ...] [--keep contacts,names,payment,network] [--no-redact [--yes]]
                [--without attempts,notes,authorization] [--target URL] [--preview] [--json]
                the format follows the end of FILE, and is ndjson where that says nothing; without -o to stdout, or on a terminal to a file named by the time
                --json requires -o FILE or --preview; --no-redact requires --yes where no terminal can ask
                redaction replaces:
${redactionLines}
                ${redactionLimits}`,
  import: `  import      FILE ... | -  event logs (ndjson, gzip or not; HAR as well as may be), each beside the live store
                [--name NAME of what comes from stdin] [--json]`,
  logs: `  logs        list | show ID | remove ID | formats  [--json]`,
  sandbox: `  sandbox     the service in miniature, to try a client on: authorization, tokens, webhooks, a dashboard
                [--port N] [--redirect-url URL ...] [--token-lifetime SECONDS] [--fault NAME ...]
                [--webhook-url URL] [--secret S | --secret-env NAME] [--rate N] [--json]`,
  integration: `  integration set --name NAME [--base-url URL] [--access-id ID] [--access-secret-env VAR | --access-secret S]
                [--redirect-url URL ...] [--use-redirect-url URL] [--brand B] [--refresh-template FILE]
                [--auto-refresh on|off] [--due-before SECONDS] [--json]
              list | show NAME | check NAME | remove NAME [--yes]  [--json]`,
  authorize: `  authorize   run the authorization code flow, and keep the token
                [--integration NAME] [--redirect-url URL] [--state S] [--label TEXT] [--replace ID]
                [--timeout SECONDS] [--no-open] [--json]`,
  token: `  token       list [--integration NAME] | show ID [--reveal [access|refresh]] | refresh ID | revoke-local ID
              label ID TEXT | remove ID  [--json]`,
  call: `  call        METHOD PATH  [--body TEXT | @FILE | @-] [--header 'K: V' ...] [--query k=v ...]
                [--token ID | --no-token] [--integration NAME] [--allow-other-origin] [--no-follow]
                [--timeout MS] [--include] [--json]`,
  runs: `  runs        list [--integration NAME] [--limit N] | show ID  [--json]`,
  'self-check': `  self-check  check that everything works on this machine: a JSON line for each check, then a verdict; exit code 1 when one failed
                [--report DIR] [--timeout SECONDS]  without Electron; the desktop app has the same as a switch`,
} as const

const footing = `Every command takes --data DIR, the folder that holds the data.
--json prints one JSON object a line on stdout.
TIME is a time such as 2026-11-21T09:00, so long ago such as 2h or 3d, yesterday, or a day such as tuesday.
TUNNEL is localtunnel[:SUBDOMAIN][@HOST], manual:URL, cloudflared, ngrok[:DOMAIN] or none.
Port 0 lets the system choose.
Exit codes: 0 done, 1 failed or negative result, 2 usage or missing input, 3 not found, 4 refused for safety, 130 interrupted.`

/** All commands. */
export const usage = `${heading}

${Object.values(commandTexts).join('\n')}

tabscope help <command> shows one of them alone, tabscope --version the version.
${footing}`

/** What one command takes; undefined where there is none of that name. */
export function usageOf(name: string): string | undefined {
  return Object.entries(commandTexts).find(([command]) => command === name)?.[1]
}

/** The same with what holds for every command, as `help` shows it. */
export function helpOf(name: string): string | undefined {
  const text = usageOf(name)
  return text === undefined ? undefined : `${heading}\n\n${text}\n\n${footing}`
}

/** The names of all commands. */
export const commandNames: readonly string[] = Object.keys(commandTexts)
