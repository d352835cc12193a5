import { formatCount, plural } from '#shared/text/format.ts'
import type { Diagnosis, DiagnosisEvidence, FrameworkGuess } from '#contract/deliveries.ts'
import type { Delivery, Verdict } from '#contract/models.ts'
import { Note, WhenLoaded } from '#kit/Note.tsx'
import { Shown } from '#kit/Shown.tsx'
import { CauseCard } from './CauseCard.tsx'
import { TrySecret } from './TrySecret.tsx'
import { useChecked } from './conclusion.ts'
import { isFixable } from '#parts/FixButton.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { useState } from 'react'
import { messageOf, useAction } from '#kit/use-action.ts'
import { useClient } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'
import { Button } from '#kit/Button.tsx'
import { Field } from '#kit/Field.tsx'
import { frameworks } from '#catalogue/frameworks.ts'
import { CheckCode } from '#parts/RawBodyChecks.tsx'

/** From this size a diagnosis can take a second or more, and the message says so. */
const largeBytes = 1024 * 1024

const headings = {
  valid: 'The check on this side is correct',
  invalid: 'Why it failed',
  missing: 'Why it is missing',
  unsigned: 'Why nothing was checked',
  unchecked: 'Why it was not checked',
} as const satisfies Record<Verdict, string>

export function DiagnosisView({ delivery }: { readonly delivery: Delivery }) {
  const query = useChecked('deliveries.diagnose', delivery)
  const loading = (
    <p className="flex items-center gap-4 rounded-md bg-sunken px-5 py-4 text-mid" role="status">
      <span className="why-pulse" aria-hidden />
      Trying each cause on {plural(delivery.storedBytes, 'byte', 'bytes')} of body
      {delivery.storedBytes > largeBytes ? '. This takes a few seconds' : ''}…
    </p>
  )
  return (
    <WhenLoaded query={query} loading={loading}>
      {(diagnosis) => <DiagnosisResult diagnosis={diagnosis} delivery={delivery} />}
    </WhenLoaded>
  )
}

function DiagnosisResult({ diagnosis, delivery }: { diagnosis: Diagnosis; delivery: Delivery }) {
  const { causes, conclusion, difference, verdict, tried } = diagnosis
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  // What the head of the delivery explains is not repeated, but proved.
  const isExplained = (code: string): boolean =>
    delivery.causes?.some((cause) => cause.code === code) === true
  return (
    <section className="grid gap-5" aria-label={headings[verdict]}>
      {diagnosis.rejected && <Frameworks diagnosis={diagnosis} brand={delivery.brand} />}
      {!diagnosis.rejected && !matching.some(({ code }) => isExplained(code)) && (
        <Note tone={verdict === 'invalid' ? verdict : 'info'}>
          <p className="select-text" data-testid="conclusion">
            <Shown text={conclusion} />
          </p>
          <LearnMore page="signatures" section="find-out-why-a-signature-is-invalid" />
        </Note>
      )}
      {matching.map((cause, index) => (
        // Causes that match only together share one detail text.
        <CauseCard
          key={cause.code}
          cause={cause}
          detailed={matching.findIndex(({ detail }) => detail === cause.detail) === index}
          {...(isExplained(cause.code) && { parts: isFixable(cause) ? 'fix' : 'proof' })}
        />
      ))}
      {difference && <FirstDifference difference={difference} />}
      {verdict !== 'valid' && tried > 0 && <TrySecret delivery={delivery} />}
      {!diagnosis.rejected && diagnosis.frameworks.length > 0 && (
        <Frameworks diagnosis={diagnosis} brand={delivery.brand} />
      )}
      {tried > 0 && <ComputedDigest id={delivery.id} />}
      <Tried diagnosis={diagnosis} />
    </section>
  )
}

function FirstDifference({ difference }: { readonly difference: DiagnosisEvidence }) {
  const { offset, signed, received } = difference
  return (
    <div className="grid gap-2 text-s" data-testid="first-difference">
      <p className="text-dim">First difference, at byte {formatCount(offset)}</p>
      <dl className="mono grid grid-cols-key-1 gap-2 gap-x-4 wrap-anywhere">
        <dt className="text-dim">signed</dt>
        <dd className="select-text">
          <Shown text={signed} />
        </dd>
        <dt className="text-dim">received</dt>
        <dd className="select-text">
          <Shown text={received} />
        </dd>
      </dl>
    </div>
  )
}

function Tried({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { tried, exhaustive, causes } = diagnosis
  const ruledOut = causes.filter(({ outcome }) => outcome === 'ruled_out')
  return (
    <>
      <p className="text-s text-dim">
        {describeCount(tried)}
        {!exhaustive && ' The time was too short to try all single changes.'}
      </p>
      {ruledOut.length > 0 && (
        <details className="[&>summary]:w-fit [&>summary]:cursor-pointer [&>summary]:text-mid">
          <summary className="py-1 font-semibold">What was tried and ruled out</summary>
          <ul className="framed lined mt-4" aria-label="Also tried">
            {ruledOut.map(({ code, detail }) => (
              <li className="grid grid-cols-key-1 gap-4 px-5 py-3" key={code}>
                <span className="text-s text-dim">ruled out</span>
                <p>{detail}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function describeCount(tried: number): string {
  if (tried === 0) return 'No signature was computed.'
  if (tried === 1) return '1 signature was computed.'
  return `${plural(tried, 'signature', 'signatures')} were computed.`
}

function ComputedDigest({ id }: { readonly id: number }) {
  const client = useClient()
  const log = useLog()
  const [digest, setDigest] = useState('')
  const [result, setResult] = useState<Diagnosis['computed']>(null)
  const { start, busy, error, reset } = useAction(async () => {
    setResult(null)
    const found = await client.call('deliveries.diagnose', { id, log, computed: digest.trim() })
    setResult(found.computed)
  })
  return (
    <form
      className="plain-card px-6 py-5"
      aria-label="Digest of your handler"
      onSubmit={(event) => {
        event.preventDefault()
        if (digest.trim() !== '' && !busy) start()
      }}
    >
      <Field
        label="Digest of your handler"
        value={digest}
        maxLength={1000}
        spellCheck={false}
        onChange={({ target }) => {
          setDigest(target.value)
          setResult(null)
          reset()
        }}
        hint="Log the digest that your handler computes, and enter it here to find out what it did."
        error={error === null ? null : messageOf(error)}
        after={
          <Button type="submit" busy={busy} disabled={digest.trim() === ''}>
            Explain
          </Button>
        }
      />
      <div role="status">
        {result && (
          <div className="mt-4 grid gap-4" data-testid="computed">
            <p className="select-text">
              <Shown text={result.conclusion} />
            </p>
            {result.causes.map((cause, index) => (
              <CauseCard
                key={cause.code}
                cause={cause}
                detailed={
                  result.causes.findIndex(({ detail }) => detail === cause.detail) === index
                }
              />
            ))}
          </div>
        )}
      </div>
    </form>
  )
}

const maxShown = 4

interface Props {
  readonly diagnosis: Diagnosis
  readonly brand: string
}

/** For a valid signature that a handler rejects: what frameworks make of this body if the handler does not use the raw bytes. */
function Frameworks({ diagnosis: { rejected, frameworks: guesses }, brand }: Props) {
  const changing = guesses.filter(({ changes }) => changes)
  const others = guesses.filter(({ changes }) => !changes)
  const isRejected = rejected !== null
  return (
    <section
      className="plain-card grid gap-4 px-6 py-5"
      aria-label="If your handler rejects it"
      data-testid="frameworks"
    >
      <h3 className="font-semibold">
        {!isRejected ? 'If your handler rejects it' : 'What your handler may make of this body'}
      </h3>
      {changing.length === 0 ? (
        <p className="text-dim">
          No common framework changes this body when it serializes it again. Check the handler’s
          secret, how it compares, and whether the body was read before.
        </p>
      ) : (
        <>
          <p className="text-dim">
            It may serialize the JSON again instead of using the raw bytes. These change this body:
          </p>
          <GuessList guesses={changing.slice(0, maxShown)} brand={brand} open={isRejected} />
          {changing.length > maxShown && (
            <details>
              <summary>{changing.length - maxShown} more</summary>
              <GuessList guesses={changing.slice(maxShown)} brand={brand} />
            </details>
          )}
          {others.length > 0 && (
            <p className="text-s text-dim">
              These leave it as it is: {[...new Set(others.map(({ label }) => label))].join(', ')}.
            </p>
          )}
        </>
      )}
    </section>
  )
}

interface GuessesProps {
  readonly guesses: readonly FrameworkGuess[]
  readonly brand: string
  /** Whether the check of the first one is shown. */
  readonly open?: boolean
}

function GuessList({ guesses, brand, open = false }: GuessesProps) {
  return (
    <ul className="grid gap-4">
      {guesses.map((guess, index) => (
        <Guess key={guess.writes} guess={guess} brand={brand} open={open && index === 0} />
      ))}
    </ul>
  )
}

interface GuessProps {
  readonly guess: FrameworkGuess
  readonly brand: string
  readonly open: boolean
}

function Guess({ guess, brand, open }: GuessProps) {
  const { label, check, writes, words, difference } = guess
  const framework = frameworks.find(({ id }) => id === check)
  return (
    <li>
      <div className="flex flex-wrap items-center gap-2 gap-x-4">
        <b>{label}</b>
        <code className="mono text-s wrap-anywhere">{writes}</code>
      </div>
      <p className="text-s text-dim">It writes the JSON {words.join(', ')}.</p>
      {difference && difference.signed !== '' && (
        <dl className="mono grid grid-cols-key-1 gap-1 gap-x-4 text-s wrap-anywhere">
          <dt className="text-dim">received</dt>
          <dd>
            <Shown text={described(difference.path, difference.received)} />
          </dd>
          <dt className="text-dim">written</dt>
          <dd>
            <Shown text={described(difference.path, difference.signed)} />
          </dd>
        </dl>
      )}
      {framework && (
        <details open={open}>
          <summary>Show the correct check</summary>
          <CheckCode framework={framework} brand={brand} />
        </details>
      )}
    </li>
  )
}

function described(path: string, text: string): string {
  return path === '' ? text : `${path}: ${text}`
}
