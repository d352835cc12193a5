import { randomBytes } from 'node:crypto'
import type { ParsedInput } from '#contract/calls.ts'
import type { RedactionRule } from '#contract/logs.ts'
import { AppError } from '../../platform/errors.ts'
import type { LogParts } from '../items.ts'
import { createRedactor, type KnownSecret } from '../redact/redactor.ts'
import type { ExportTask, ExportTo } from './messages.ts'
import type { EndpointRegistry } from '../../endpoints/registry.ts'
import type { IntegrationRegistry } from '../../integrations/registry.ts'
import type { Tokens } from '../../tokens/tokens.ts'

export interface ExportsParts extends LogParts {
  /** The saved rules. */
  readonly rules: () => readonly RedactionRule[]
  /** The path of the store of a log. Throws `not_found`. */
  readonly pathOf: (log: number) => string
}

type ExportOptions = Omit<ParsedInput<'logs.export'>, 'to'>

/** Resolves once every delivery that Tabscope has responded to so far is in the store. Throws `not_found` for an unknown log, `bad_input` for a rule. */
export async function createExportTask(
  parts: ExportsParts,
  options: ExportOptions,
  to: ExportTo,
): Promise<Omit<ExportTask, 'cancelled'>> {
  const { what, redact } = options
  const storePath = what.log === null ? parts.store.path : parts.pathOf(what.log)
  const allRules = uniqueRules([...parts.rules(), ...options.rules])
  if (redact) assertRules(allRules)
  const configured = parts.registry.views()
  const headers = configured.flatMap(({ customHeaders }) => customHeaders)
  return {
    storePath,
    what,
    with: options.with,
    asOf: parts.clock.now(),
    app: `Tabscope ${parts.version}`,
    format: options.format,
    gzip: options.gzip,
    target: options.target === '' ? listenerOrigin(parts) : options.target,
    viewerPage: parts.ports.viewerPage.href,
    endpointHeaders: new Map(
      what.log === null ? configured.map(({ id, customHeaders }) => [id, customHeaders]) : [],
    ),
    redaction: redact
      ? {
          known: knownSecrets(parts),
          customHeaders: headers.map(([name]) => name),
          customValues: headers.map(([, value]) => value),
          rules: allRules,
          keep: options.keep,
          // A new key for each export. Only its thread has it.
          key: new Uint8Array(randomBytes(32)),
        }
      : null,
    to,
  }
}

/** Throws `bad_input` if a rule is invalid. */
export function assertRules(rules: readonly RedactionRule[]): void {
  if (rules.length === 0) return
  createRedactor({ known: [], handles: [], customHeaders: [], rules, key: new Uint8Array(32) })
}

export function uniqueRules(rules: readonly RedactionRule[]): RedactionRule[] {
  const byText = new Map(rules.map((rule) => [JSON.stringify(rule), rule]))
  return [...byText.values()]
}

/** The origin that the listener would have if it is not running. */
function listenerOrigin({ listening, store }: LogParts): string {
  try {
    return listening.origin()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `http://127.0.0.1:${store.initial.settings.listenerPort}`
  }
}

function knownSecrets({
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
