import { Fragment } from 'react'
import { formatCount, plural } from '#shared/text/format.ts'
import type { Diagnosis, DiagnosisEvidence, FrameworkGuess } from '#contract/deliveries.ts'
import type { Delivery } from '#contract/models.ts'
import { Note, WhenLoaded } from '#kit/Note.tsx'
import { Prose, Shown } from '#kit/Shown.tsx'
import { CauseCards } from './CauseCard.tsx'
import { TryForm, TrySecret } from './TrySecret.tsx'
import { useChecked } from './use-checked.ts'
import { isFixable } from '#parts/FixButton.tsx'
import { LearnMore } from '#parts/LearnMore.tsx'
import { frameworks } from '#catalogue/frameworks.ts'
import { CheckCode } from '#parts/RawBodyChecks.tsx'

/** From this size a diagnosis can take a second or more, and the message says so. */
const largeBytes = 1024 * 1024

export function DiagnosisView({ delivery }: { delivery: Delivery }) {
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
  const { causes, conclusion, difference, verdict, tried, rejected } = diagnosis
  const isSerialized = rejected?.code === 'handler.serialized'
  const matching = causes.filter(({ outcome }) => outcome === 'matches')
  // What the head of the delivery explains is not repeated, but proved.
  const isExplained = (code: string): boolean =>
    delivery.causes?.some((cause) => cause.code === code) === true
  return (
    <section className="grid gap-5" aria-label="Diagnosis">
      {isSerialized && <Frameworks diagnosis={diagnosis} brand={delivery.brand} />}
      {!isSerialized && !matching.some(({ code }) => isExplained(code)) && (
        <Note tone={verdict === 'invalid' ? verdict : 'info'}>
          <p className="select-text" data-testid="conclusion">
            <Shown text={conclusion} />
          </p>
          <LearnMore page="signatures" section="find-out-why-a-signature-is-invalid" />
        </Note>
      )}
      <CauseCards
        causes={matching}
        partsOf={(cause) => isExplained(cause.code) && (isFixable(cause) ? 'fix' : 'proof')}
      />
      {difference && <FirstDifference difference={difference} />}
      {verdict !== 'valid' && tried > 0 && <TrySecret delivery={delivery} />}
      {!isSerialized && diagnosis.frameworks.length > 0 && (
        <Frameworks diagnosis={diagnosis} brand={delivery.brand} />
      )}
      {tried > 0 && <ComputedDigest id={delivery.id} />}
      <Tried diagnosis={diagnosis} />
    </section>
  )
}

function FirstDifference({ difference }: { difference: DiagnosisEvidence }) {
  const { offset, signed, received } = difference
  return (
    <div className="grid gap-2 text-s" data-testid="first-difference">
      <p className="text-dim">First difference, at byte {formatCount(offset)}</p>
      <Pair terms={{ signed, received }} />
    </div>
  )
}

function Pair({ terms }: { terms: Readonly<Record<string, string>> }) {
  return (
    <dl className="mono grid grid-cols-key-1 gap-1 gap-x-4 text-s wrap-anywhere select-text">
      {Object.entries(terms).map(([word, text]) => (
        <Fragment key={word}>
          <dt className="text-dim">{word}</dt>
          <dd>
            <Shown text={text} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Tried({ diagnosis }: { diagnosis: Diagnosis }) {
  const { tried, exhaustive, causes } = diagnosis
  const ruledOut = causes.filter(({ outcome }) => outcome === 'ruled_out')
  return (
    <>
      <p className="text-s text-dim">
        {tried === 0 ? 'No' : formatCount(tried)} {tried > 1 ? 'signatures were' : 'signature was'}{' '}
        computed.
        {!exhaustive && ' The time was too short to try all single changes.'}
      </p>
      {ruledOut.length > 0 && (
        <details className="[&>summary]:w-fit [&>summary]:cursor-pointer [&>summary]:text-mid">
          <summary className="py-1 font-semibold">What was tried and ruled out</summary>
          <ul className="framed lined mt-4" aria-label="Also tried">
            {ruledOut.map(({ code, detail }) => (
              <li className="grid grid-cols-key-1 gap-4 px-5 py-3" key={code}>
                <span className="text-s text-dim">ruled out</span>
                <p>
                  <Prose text={detail} />
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function ComputedDigest({ id }: { id: number }) {
  return (
    <TryForm
      id={id}
      label="Digest of your handler"
      hint="Log the digest that your handler computes, and enter it here to find out what it did."
      action="Explain"
      inputOf={(digest) => ({ computed: digest.trim() })}
    >
      {({ computed }) =>
        computed && (
          <div className="mt-4 grid gap-4" data-testid="computed">
            <p className="select-text">
              <Shown text={computed.conclusion} />
            </p>
            <CauseCards causes={computed.causes} />
          </div>
        )
      }
    </TryForm>
  )
}

/** For a valid signature that a handler rejects: what frameworks make of this body if the handler does not use the raw bytes. */
function Frameworks({
  diagnosis: { rejected, frameworks: guesses },
  brand,
}: {
  diagnosis: Diagnosis
  brand: string
}) {
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
          <ul className="grid gap-4">
            {changing.map((guess, index) => (
              <Guess
                key={guess.writes}
                guess={guess}
                brand={brand}
                open={isRejected && index === 0}
              />
            ))}
          </ul>
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

interface GuessProps {
  guess: FrameworkGuess
  brand: string
  /** Whether its check is shown. */
  open: boolean
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
        <Pair
          terms={{
            received: described(difference.path, difference.received),
            written: described(difference.path, difference.signed),
          }}
        />
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
