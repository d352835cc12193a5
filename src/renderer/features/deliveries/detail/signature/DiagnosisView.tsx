import { formatCount, plural } from '#shared/text/format.ts'
import type { Diagnosis, DiagnosisEvidence } from '#contract/deliveries.ts'
import type { Delivery, Verdict } from '#contract/models.ts'
import { Grid, Row, Stack } from '../../../../ui/Layout.tsx'
import { WhenLoaded } from '../../../../ui/Failure.tsx'
import { Note } from '../../../../ui/Note.tsx'
import { Shown } from '../../../../ui/Shown.tsx'
import { CauseCard } from './CauseCard.tsx'
import { TrySecret } from './TrySecret.tsx'
import { useChecked } from './conclusion.ts'
import { ComputedDigest } from './ComputedDigest.tsx'
import { Frameworks } from './Frameworks.tsx'
import { isFixable } from '../../../fixes/index.ts'
import { LearnMore } from '../../../help/index.ts'

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
    <Row
      as="p"
      align="center"
      gap={4}
      pad={[4, 5]}
      round="m"
      background="sunken"
      tone="mid"
      role="status"
    >
      <span className="why-pulse" aria-hidden />
      Trying each cause on {plural(delivery.storedBytes, 'byte', 'bytes')} of body
      {delivery.storedBytes > largeBytes ? '. This takes a few seconds' : ''}…
    </Row>
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
    <Stack as="section" gap={5} className="why" aria-label={headings[verdict]}>
      {diagnosis.rejected && <Frameworks diagnosis={diagnosis} brand={delivery.brand} />}
      {!diagnosis.rejected && !matching.some(({ code }) => isExplained(code)) && (
        <Note tone={verdict === 'invalid' ? verdict : 'info'}>
          <p className="selectable" data-testid="conclusion">
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
    </Stack>
  )
}

function FirstDifference({ difference }: { readonly difference: DiagnosisEvidence }) {
  const { offset, signed, received } = difference
  return (
    <Stack gap={2} size="s" data-testid="first-difference">
      <p className="dim">First difference, at byte {formatCount(offset)}</p>
      <Grid as="dl" columns="key 1" gap={2} gapX={4} mono anywhere>
        <dt className="dim">signed</dt>
        <dd className="selectable">
          <Shown text={signed} />
        </dd>
        <dt className="dim">received</dt>
        <dd className="selectable">
          <Shown text={received} />
        </dd>
      </Grid>
    </Stack>
  )
}

function Tried({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { tried, exhaustive, causes } = diagnosis
  const ruledOut = causes.filter(({ outcome }) => outcome === 'ruled_out')
  return (
    <>
      <p className="dim size-s">
        {describeCount(tried)}
        {!exhaustive && ' The time was too short to try all single changes.'}
      </p>
      {ruledOut.length > 0 && (
        <details className="tried-causes">
          <summary className="pad-y-1 weight-semibold">What was tried and ruled out</summary>
          <ul className="margin-top-4 framed lined" aria-label="Also tried">
            {ruledOut.map(({ code, detail }) => (
              <Grid as="li" columns="key 1" gap={4} pad={[3, 5]} key={code}>
                <span className="dim size-s">ruled out</span>
                <p>{detail}</p>
              </Grid>
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
