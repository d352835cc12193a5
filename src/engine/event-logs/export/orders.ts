import { randomBytes } from 'node:crypto'
import type { ParsedInput } from '#contract/calls.ts'
import type { RedactionRule } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogParts } from '../items.ts'
import { createRedactor, type KnownSecret } from '../redact/redactor.ts'
import type { ExportOrder, ExportTo } from './messages.ts'
import type { EndpointRegistry } from '../../endpoints/registry.ts'
import type { IntegrationRegistry } from '../../integrations/registry.ts'
import type { Tokens } from '../../tokens/tokens.ts'

/** The rules that are kept, as they are now. */
export type KeptRules = () => readonly RedactionRule[]
/** Path of the store of an imported log. Throws `not_found`. */
export type LogPath = (log: number) => string

type Wish = Omit<ParsedInput<'logs.export'>, 'to'>

/**
 * What the thread of an export is told, for a wish of the user. Resolves once all that had been answered by now is in the store. Throws
 * `not_found` for a log that there is not, and `bad_input` for a rule that cannot be read.
 */
export async function orderOf(
  parts: LogParts,
  rules: KeptRules,
  pathOf: LogPath,
  wish: Wish,
  to: ExportTo,
): Promise<Omit<ExportOrder, 'cancelled'>> {
  const { what, redact } = wish
  const storePath = what.log === null ? parts.store.path : pathOf(what.log)
  const all = distinct([...rules(), ...wish.rules])
  if (redact) assertRules(all)
  if (what.log === null) await parts.store.writer.call('level')
  const configured = parts.registry.views()
  const headers = configured.flatMap(({ customHeaders }) => customHeaders)
  return {
    storePath,
    what,
    with: wish.with,
    asOf: parts.clock.now(),
    app: `Tabscope ${parts.version}`,
    format: wish.format,
    gzip: wish.gzip,
    target: wish.target === '' ? ownOrigin(parts) : wish.target,
    viewerPage: parts.ports.viewerPage.href,
    endpointHeaders: new Map(
      what.log === null ? configured.map(({ id, customHeaders }) => [id, customHeaders]) : [],
    ),
    redaction: redact
      ? {
          known: knownToExports(parts),
          customHeaders: headers.map(([name]) => name),
          customValues: headers.map(([, value]) => value),
          rules: all,
          keep: wish.keep,
          // Nobody has it but the one thread that uses it.
          key: new Uint8Array(randomBytes(32)),
        }
      : null,
    to,
  }
}

/** Throws `bad_input` where one of them cannot be read. */
export function assertRules(rules: readonly RedactionRule[]): void {
  if (rules.length === 0) return
  createRedactor({ known: [], handles: [], customHeaders: [], rules, key: new Uint8Array(32) })
}

/** Each once, in their order. */
export function distinct(rules: readonly RedactionRule[]): RedactionRule[] {
  const byText = new Map(rules.map((rule) => [JSON.stringify(rule), rule]))
  return [...byText.values()]
}

/** Where our own listener is, or would be. */
function ownOrigin({ listening, store }: LogParts): string {
  try {
    return listening.origin()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `http://127.0.0.1:${store.initial.settings.listenerPort}`
  }
}

/** All that Tabscope itself holds as a secret, in clear text: for the thread of an export, so that it is found wherever it stands. */
function knownToExports({
  registry,
  integrations,
  tokens,
}: {
  readonly registry: EndpointRegistry
  readonly integrations: IntegrationRegistry
  readonly tokens: Pick<Tokens, 'clearValues'>
}): KnownSecret[] {
  const webhooks = registry.views().flatMap(({ id }) => registry.secretsOf(id))
  return [
    ...webhooks.map(({ secret }) => ({ kind: 'secret' as const, value: secret })),
    ...integrations.clearSecrets().map((value) => ({ kind: 'secret' as const, value })),
    ...tokens.clearValues().map(({ value }) => ({ kind: 'token' as const, value })),
  ]
}
