import { Icons } from '../../../ui/icons.tsx'
import type { LogPreview } from '#contract/logs.ts'
import type { FieldChoice } from '#contract/masking.ts'
import { Text, Row, Stack } from '../../../ui/Layout.tsx'
import { ErrorNote, LoadFailure, Note } from '../../../ui/Note.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { formatCount, formatSize, plural } from '#shared/text/format.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { useLogs } from '../../../state/logs.ts'
import { ChoiceList, useSaveChoices, withChoice, withoutChoice } from '../choices.tsx'
import { shareOf } from '../labels.ts'
import { FieldList } from './FieldList.tsx'
import type { Preview } from './use-preview.ts'

interface Props {
  readonly state: Preview
  readonly redact: boolean
  /** For this export. */
  readonly choices: readonly FieldChoice[]
  readonly onChoose: (choices: readonly FieldChoice[]) => void
  /** The form has errors. */
  readonly invalid: boolean
}

/** What the file would contain, and how the values of each field leave. */
export function PreviewPane({ state, redact, choices, onChoose, invalid }: Props) {
  const { preview, stale, error, retry } = state
  return (
    <Stack
      as="section"
      column
      gap={4}
      shrink
      frame
      background="bg"
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
        <>
          <PreviewSummary preview={preview} redact={redact} />
          {redact && (preview.fields.length > 0 || choices.length > 0) && (
            <Fields preview={preview} choices={choices} onChoose={onChoose} />
          )}
        </>
      )}
    </Stack>
  )
}

function PreviewSummary({
  preview,
  redact,
}: {
  readonly preview: LogPreview
  readonly redact: boolean
}) {
  const { complete, examined, deliveries, rehearsals = 0, totalBytes, notes } = preview
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
        <Note tone="warning">No deliveries match. Select others, or another time range.</Note>
      )}
      {notes.map((note) => (
        <Note key={note} tone="info">
          <Shown text={note} max={1000} />
        </Note>
      ))}
      {!redact && (
        <Row gap={4} pad={[4, 5]} round="m" background="state" icon="m" data-tone="invalid">
          <Icons.ShieldOff className="tone-state" />
          <p>
            <Text as="b" tone="state">
              Nothing is redacted.
            </Text>{' '}
            Every value is exported as it is.
          </p>
        </Row>
      )}
    </>
  )
}

function fieldList(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.masked-fields')
}

/** The fields of the preview and the user's choices of some of them. */
function Fields({
  preview: { fields, texts, complete },
  choices,
  onChoose,
}: Pick<Props, 'choices' | 'onChoose'> & { readonly preview: LogPreview }) {
  const saved = useLogs((state) => state.choices)
  const save = useSaveChoices()
  const sum = (of: 'kept' | 'aliases' | 'masked'): number =>
    fields.reduce((total, field) => total + field[of], 0)
  // A choice for this export replaces the saved one.
  const savedOnly = saved.filter(({ field }) => !choices.some((choice) => choice.field === field))
  return (
    <>
      <Row as="h3" gap={3} align="center" size="m">
        <Icons.ShieldCheck className="tone-valid" /> {formatCount(sum('kept'))} as received,{' '}
        {plural(sum('aliases'), 'alias', 'aliases')}, {formatCount(sum('masked'))} masked
        {complete ? '' : ' so far'}
      </Row>
      <ErrorNote error={save.error} />
      <Stack gap={2} className="export-choices" data-scrolls>
        <ChoiceList
          label="Fields for this export"
          scope="this export"
          choices={choices}
          focus={fieldList}
          onSave={(choice) => {
            save.start(withChoice(saved, choice))
            onChoose(withoutChoice(choices, choice.field))
          }}
          onRemove={({ field }) => onChoose(withoutChoice(choices, field))}
        />
        <ChoiceList
          label="Fields for all exports"
          scope="all exports"
          choices={savedOnly}
          focus={fieldList}
          onRemove={({ field }) => save.start(withoutChoice(saved, field))}
        />
      </Stack>
      <FieldList
        fields={fields}
        texts={texts}
        choices={[...savedOnly, ...choices]}
        onChoose={(choice) => onChoose(withChoice(choices, choice))}
      />
    </>
  )
}
