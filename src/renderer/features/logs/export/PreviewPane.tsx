import { ShieldCheck, ShieldOff } from '../../../ui/icons.tsx'
import type { LogPreview } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { LoadFailure } from '../../../ui/Failure.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { cut } from '../../../ui/text/visible.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { shareOf } from '../labels.ts'
import { RemovalList } from './RemovalList.tsx'
import type { Preview } from './use-preview.ts'

interface Props {
  readonly state: Preview
  readonly redact: boolean
  /** The form has errors. */
  readonly invalid: boolean
}

/** What the file would contain, and exactly what is redacted. */
export function PreviewPane({ state, redact, invalid }: Props) {
  const { preview, stale, error, retry } = state
  return (
    <Stack
      as="section"
      column
      gap={4}
      shrink
      frame
      ground="bg"
      className="export-preview"
      aria-label="Preview"
      data-stale={stale || undefined}
    >
      {invalid ? (
        <Stack grow center tone="mid">
          Fix the errors to see a preview.
        </Stack>
      ) : error !== null ? (
        <LoadFailure onRetry={retry}>The preview is not available. {error.message}</LoadFailure>
      ) : preview === null ? (
        <Stack grow center tone="mid" role="status">
          Loading preview
        </Stack>
      ) : (
        <PreviewContent preview={preview} redact={redact} />
      )}
    </Stack>
  )
}

function PreviewContent({
  preview,
  redact,
}: {
  readonly preview: LogPreview
  readonly redact: boolean
}) {
  const { complete, examined, deliveries, rehearsals = 0, totalBytes, removals, notes } = preview
  const values = removals.reduce((sum, removal) => sum + removal.values, 0)
  const progress = `${formatCount(examined)} of ${formatCount(deliveries)} checked`
  return (
    <>
      <Stack as="header" gap={3} className="export-sum">
        <Row as="p" align="baseline" gap={3} size="l" role="status">
          <Text as="b" size="xl">
            {formatCount(deliveries)}
          </Text>{' '}
          {deliveries === 1 ? 'delivery' : 'deliveries'}
          {rehearsals > 0 && `, ${plural(rehearsals, 'rehearsal', 'rehearsals')}`}
          <Text push>
            {complete ? '' : 'about '}
            <Text as="b" size="xl">
              {formatSize(totalBytes)}
            </Text>
          </Text>
        </Row>
        {!complete && (
          <>
            <Progress label="Checked" share={shareOf(examined, deliveries)} words={progress} />
            <Text as="p" tone="dim" size="s">
              {progress}
            </Text>
          </>
        )}
      </Stack>
      {deliveries === 0 && rehearsals === 0 && (
        <Note tone="missing">No deliveries match. Select others, or another time range.</Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={cut(note, 1000)} />
        </Note>
      ))}
      {!redact ? (
        <Row gap={4} pad={[4, 5]} round="m" ground="state" icon="m" data-tone="invalid">
          <ShieldOff className="tone-state" aria-hidden />
          <p>
            <Text as="b" tone="state">
              Nothing is redacted.
            </Text>{' '}
            Every value is exported as it is.
          </p>
        </Row>
      ) : removals.length === 0 ? (
        deliveries + rehearsals > 0 && (
          <Row gap={4} pad={[4, 5]} round="m" ground="state" icon="m" data-tone="valid">
            <ShieldCheck className="tone-state" aria-hidden />
            <p>
              {complete
                ? 'No values to redact were found.'
                : 'No values to redact were found so far.'}
            </p>
          </Row>
        )
      ) : (
        <>
          <Row as="h3" gap={3} align="center" size="m">
            <ShieldCheck className="tone-valid" aria-hidden />{' '}
            {plural(values, 'value is', 'values are')} redacted
            {complete ? '' : ' so far'}, in {plural(removals.length, 'place', 'places')}
          </Row>
          <RemovalList removals={removals} />
        </>
      )}
    </>
  )
}
