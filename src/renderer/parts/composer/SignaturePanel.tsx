import { type SignChoice, signFaults } from '#contract/sending.ts'
import { InlineSelect } from '#kit/Field.tsx'
import { Problems } from './TargetBar.tsx'
import { Shown } from '#kit/Shown.tsx'
import { shortText } from '#kit/text/visible.ts'
import { useClient } from '#client/use-client.ts'
import { useEndpoints } from '#client/state/live-values.ts'
import { describeSecret } from '#parts/send/labels.ts'
import { edit } from './edit.ts'
import type { Session } from './store.ts'
import { CopyButton } from '#kit/Button.tsx'
import { VerdictMark } from '#kit/Mark.tsx'
import type { Endpoint } from '#contract/models.ts'

interface SecretOption {
  readonly endpointId: number
  readonly which: 'current' | 'previous'
  readonly name: string
}

/** Returns all secrets that are set, those of the endpoint first. */
export function secretOptions(
  endpoints: readonly Endpoint[],
  endpointId: number | null,
): SecretOption[] {
  const own = endpoints.filter(({ id }) => id === endpointId)
  return [...own, ...endpoints.filter((endpoint) => !own.includes(endpoint))].flatMap((endpoint) =>
    (['current', 'previous'] as const).flatMap((which) => {
      const { set } = which === 'current' ? endpoint.secret : endpoint.previousSecret
      return set ? [{ endpointId: endpoint.id, which, name: `${which} of ${endpoint.name}` }] : []
    }),
  )
}

const faultLabels = {
  digit: 'one digit changed',
  base64: 'base64 instead of hex',
  prefix: '“sha256=” prefix',
  other_secret: 'signed with another secret',
} as const satisfies Record<(typeof signFaults)[number], string>

/** Changes how the request is signed, and keeps the selected secret. Null if there is no secret. */
export function withMethod(
  before: SignChoice,
  how: SignChoice['how'],
  secrets: readonly SecretOption[],
): SignChoice | null {
  if (how !== 'secret' && how !== 'broken') return { how }
  const selected = selectedSecret(before, secrets) ?? secrets[0]
  if (!selected) return null
  const { endpointId, which } = selected
  if (how === 'secret') return { how, endpointId, which }
  return { how, endpointId, which, fault: before.how === 'broken' ? before.fault : 'digit' }
}

/** The selected secret if it still exists. */
export function selectedSecret(
  sign: SignChoice,
  secrets: readonly SecretOption[],
): SecretOption | undefined {
  if (sign.how !== 'secret' && sign.how !== 'broken') return undefined
  return secrets.find(
    ({ endpointId, which }) => endpointId === sign.endpointId && which === sign.which,
  )
}

const choices = [
  ['auto', 'Automatic', 'as captured, or signed after an edit'],
  ['keep', 'As captured', 'even if the body changed'],
  ['secret', 'Sign with', 'a secret that you select'],
  ['none', 'No signature', 'without the signature header'],
  ['broken', 'Break on purpose', 'the target should reject it'],
] as const satisfies readonly (readonly [SignChoice['how'], string, string])[]

export function SignatureRow({ session }: { session: Session }) {
  const client = useClient()
  const { sign, endpointId, origin } = session.content
  const endpoints = useEndpoints((state) => state.endpoints)
  const secrets = secretOptions(endpoints, endpointId)
  const problems = session.preview?.problems.filter(({ field }) => field === 'sign') ?? []
  // A delivery from a log was signed with a secret that is not stored here, so its signature is not kept by default.
  const hintOf = (how: SignChoice['how'], hint: string): string =>
    how === 'auto' && origin.kind === 'log' ? 'signed with the endpoint’s secret' : hint
  const shown = choices.filter(
    ([how]) => how !== 'keep' || ['delivery', 'log'].includes(origin.kind),
  )
  return (
    <section className="grid min-w-0 gap-2" aria-label="Signature">
      <div className="signature-row flex min-h-(--control-s) min-w-0 items-center gap-3 below-900:flex-wrap">
        <InlineSelect
          small
          label="Signature"
          aria-label="Signature to send"
          value={sign.how}
          onChange={(event) => {
            const how = shown.find(([each]) => each === event.target.value)?.[0]
            const next = how === undefined ? null : withMethod(sign, how, secrets)
            if (next) edit(client, session.key, { sign: next })
          }}
        >
          {shown.map(([how, word, usual]) => {
            const possible = withMethod(sign, how, secrets) !== null || how === sign.how
            return (
              <option
                key={how}
                value={how}
                disabled={!possible}
                title={possible ? hintOf(how, usual) : 'No endpoint has a secret'}
              >
                {word}
              </option>
            )
          })}
        </InlineSelect>
        <Details of={session.key} sign={sign} secrets={secrets} />
        <LiveSignature session={session} />
      </div>
      <Problems problems={problems} />
    </section>
  )
}

interface DetailsProps {
  of: number
  sign: SignChoice
  secrets: readonly SecretOption[]
}

function Details({ of, sign, secrets }: DetailsProps) {
  const client = useClient()
  if (sign.how !== 'secret' && sign.how !== 'broken') return null
  const selected = selectedSecret(sign, secrets)
  return (
    <>
      {sign.how === 'broken' && (
        <InlineSelect
          small
          aria-label="Signature error"
          value={sign.fault}
          onChange={(event) => {
            const fault = signFaults.find((each) => each === event.target.value)
            if (fault) edit(client, of, { sign: { ...sign, fault } })
          }}
        >
          {signFaults.map((fault) => (
            <option key={fault} value={fault}>
              {faultLabels[fault]}
            </option>
          ))}
        </InlineSelect>
      )}
      <InlineSelect
        small
        aria-label="Secret"
        value={selected ? keyOf(selected) : ''}
        onChange={(event) => {
          const next = secrets.find((each) => keyOf(each) === event.target.value)
          if (!next) return
          const { endpointId, which } = next
          edit(client, of, { sign: { ...sign, endpointId, which } })
        }}
      >
        {!selected && <option value="">deleted secret</option>}
        {secrets.map((each) => (
          <option key={keyOf(each)} value={keyOf(each)}>
            {shortText(each.name, 60)}
          </option>
        ))}
      </InlineSelect>
    </>
  )
}

function keyOf({ endpointId, which }: SecretOption): string {
  return `${endpointId} ${which}`
}

function LiveSignature({ session }: { session: Session }) {
  const { preview, previewOf, content, previewError } = session
  if (preview === null) {
    return (
      <p className="flex-1 text-s text-dim" role="status">
        {previewError ?? 'Computing…'}
      </p>
    )
  }
  const { value, secretName, verdict } = preview.signature
  return (
    <div
      className="signature-now flex min-h-0 min-w-0 flex-1 items-center gap-4 text-s below-900:basis-full"
      data-testid="live-signature"
      data-stale={previewOf !== content || undefined}
    >
      <p className="flex max-w-[55%] min-w-0 flex-none items-center gap-4">
        <VerdictMark verdict={verdict} />
        <span className="cut text-dim">
          {secretName === null ? (
            value === null ? (
              'Not sent.'
            ) : (
              'As captured or written.'
            )
          ) : (
            <Shown text={`With ${describeSecret(secretName)}`} max={85} />
          )}
        </span>
      </p>
      {value !== null && (
        <p className="flex min-h-0 min-w-0 flex-1 items-center gap-2">
          <code className="cut mono text-xs select-text">
            <Shown text={value} max={400} />
          </code>
          <CopyButton text={value} label="Copy signature" />
        </p>
      )}
      {previewError !== null && <p className="field-error">{previewError}</p>}
    </div>
  )
}
