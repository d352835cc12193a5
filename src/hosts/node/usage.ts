const heading = 'tabscope <command> [options]'

/** What each command takes, as it stands in the list of all of them. */
const commandTexts = {
  trigger: `  trigger     send samples as the service would
                TYPE | all | evening  [--to URL | --through-tunnel] [--secret S | --secret-env NAME]
                [--set path=value ...] [--count N] [--rate N] [--sign-wrong base64|prefix|pretty|line-break|...] [--json]`,
  resend: `  resend      send captured deliveries again, byte for byte or edited
                ID ... | --filter FILTER | --continue JOB [--send-uncertain]
                [--to URL] [--body FILE|-] [--header 'K: V' ...] [--sign SECRET | --unsigned | --keep]
                [--sign-wrong digit|base64|prefix|other-secret] [--timeout MS] [--insecure] [--allow-target] [--json]
                SECRET is current or previous, or SLUG:current of another endpoint
                many: one by one [--stop-on-failure], or --rate N | --spacing SPEED | --width N`,
  compose: `  compose     send a sample, a file, a template or an edited delivery
                --type TYPE | --from ID [--log FILE|ID] | --template NAME | --body FILE|-  [--to URL] [--method M] [--endpoint SLUG]
                [--set path=value ...] [--placeholders] and --header, --sign, --unsigned, --sign-wrong, --timeout, --insecure, --allow-target as with resend  [--json]`,
  forward: `  forward     add URL [--endpoint SLUG] [--types A,B] [--answer] [--retries N] [--timeout MS] [--in-flight N] [--queue N]
                [--allow-target]
              list | on ID | off ID | remove ID  [--json]`,
  respond: `  respond     what is answered instead of 200
                --status N [--body TEXT] [--header 'K: V' ...] | --drop  [--type TYPE] [--delay MS]
                [--first N | --share 0..1] [--endpoint SLUG]  [--json]
              list | off [--endpoint SLUG] | remove ID  [--json]`,
  logs: `  logs        list | show ID | remove ID | formats  [--json]`,
  verify: `  verify      check a signature: exit code 0 when it is valid, 1 when not
                --secret S | --secret-env NAME  --signature HEX  FILE|-  [--json]`,
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
