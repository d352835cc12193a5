import { ShieldCheck, ShieldOff } from 'lucide-react'
import type { LogPreview } from '#contract/logs.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { byteSize, count, counted } from '../../../ui/text/numbers.ts'
import { cut } from '../../../ui/text/visible.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { shareOf } from '../labels.ts'
import { RemovalList } from './RemovalList.tsx'
import type { Preview } from './use-preview.ts'

interface Props {
  readonly looked: Preview
  readonly redact: boolean
  /** What is wished cannot be taken so. */
  readonly wrong: boolean
}

/** What would be in the file, and exactly what would not. */
export function PreviewPane({ looked, redact, wrong }: Props) {
  const { preview, stale, error, retry } = looked
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
      {wrong ? (
        <Stack grow center tone="mid">
          What it would hold is shown once the above can be read.
        </Stack>
      ) : error !== null ? (
        <Note tone="invalid" alert action={<Button onClick={retry}>Try again</Button>}>
          The preview is not available. {error.message}
        </Note>
      ) : preview === null ? (
        <Stack grow center tone="mid" role="status">
          Looking at what it would hold
        </Stack>
      ) : (
        <Told preview={preview} redact={redact} />
      )}
    </Stack>
  )
}

function Told({ preview, redact }: { readonly preview: LogPreview; readonly redact: boolean }) {
  const { complete, looked, deliveries, bytesInAll, removals, notes } = preview
  const values = removals.reduce((sum, one) => sum + one.values, 0)
  const far = `${count(looked)} of ${count(deliveries)} looked at`
  return (
    <>
      <Stack as="header" gap={3} className="export-sum">
        <Row as="p" align="baseline" gap={3} size="l" role="status">
          <Text as="b" size="xl">
            {count(deliveries)}
          </Text>{' '}
          {deliveries === 1 ? 'delivery' : 'deliveries'}
          <Text push>
            {complete ? '' : 'about '}
            <Text as="b" size="xl">
              {byteSize(bytesInAll)}
            </Text>
          </Text>
        </Row>
        {!complete && (
          <>
            <Progress label="Looked at" share={shareOf(looked, deliveries)} words={far} />
            <Text as="p" tone="dim" size="s">
              {far}
            </Text>
          </>
        )}
      </Stack>
      {deliveries === 0 && (
        <Note tone="missing">No delivery is in it. Choose others, or another time.</Note>
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
        deliveries > 0 && (
          <Row gap={4} pad={[4, 5]} round="m" ground="state" icon="m" data-tone="valid">
            <ShieldCheck className="tone-state" aria-hidden />
            <p>
              {complete
                ? 'Nothing was recognized that redaction replaces.'
                : 'Nothing was recognized so far that redaction replaces.'}
            </p>
          </Row>
        )
      ) : (
        <>
          <Row as="h3" gap={3} align="center" size="m">
            <ShieldCheck className="tone-valid" aria-hidden />{' '}
            {counted(values, 'value is', 'values are')} redacted
            {complete ? '' : ' so far'}, at {counted(removals.length, 'place', 'places')}
          </Row>
          <RemovalList removals={removals} />
        </>
      )}
    </>
  )
}
