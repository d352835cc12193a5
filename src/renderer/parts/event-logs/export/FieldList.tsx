import { useRef } from 'react'
import {
  canChoose,
  type FieldChoice,
  isOmittedBody,
  type KeptText,
  type MaskedField,
} from '#contract/masking.ts'
import { formatCount, plural } from '#shared/text/format.ts'
import { Icons, type Icon } from '#kit/icons.tsx'
import { Button } from '#kit/Button.tsx'
import { Fold } from '#kit/Page.tsx'
import { focusAfter } from '#kit/focus.ts'
import { Shown } from '#kit/Shown.tsx'
import { choiceLabels } from '../choices.tsx'

interface Props {
  fields: readonly MaskedField[]
  texts: readonly KeptText[]
  /** Of this export and the saved ones. */
  choices: readonly FieldChoice[]
  onChoose: (choice: FieldChoice) => void
}

const vocabulary: ReadonlySet<string> = new Set([
  'note',
  'tag',
  'endpoint name',
  'relay',
  'integration name',
  'token label',
])

const leftOut = 'Left out'

function sectionOf({ field, documented }: MaskedField): (typeof sections)[number] {
  if (isOmittedBody(field)) return leftOut
  if (vocabulary.has(field)) return 'Notes, tags and names'
  return documented ? 'Documented' : 'Not documented'
}

const sections = [leftOut, 'Not documented', 'Notes, tags and names', 'Documented'] as const

/** How the values of each field leave: as received, as an alias, masked. */
export function FieldList({ fields, texts, choices, onChoose }: Props) {
  const groups = Map.groupBy(fields, sectionOf)
  const textsOf = Map.groupBy(texts, ({ field }) => field)
  return (
    // A scrollable list must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul
      className="masked-fields focus-visible:-outline-offset-2"
      aria-label="Fields"
      data-scrolls
      tabIndex={0}
    >
      {sections.map((title) => {
        const rows = groups.get(title) ?? []
        if (rows.length === 0) return null
        return (
          <li key={title}>
            <h4 className="sticky top-0 z-(--layer-sticky) flex justify-between gap-4 border-b border-line-soft bg-bg px-6 py-3 text-s">
              {title}
              {title !== leftOut && (
                <span className="text-dim">{plural(rows.length, 'field', 'fields')}</span>
              )}
            </h4>
            <ul className="lined grid" aria-label={title}>
              {rows.map((field) =>
                title === leftOut ? (
                  <OmittedBodies key={field.field} field={field} />
                ) : (
                  <FieldRow
                    key={field.field}
                    field={field}
                    texts={textsOf.get(field.field) ?? []}
                    choice={choices.find((choice) => choice.field === field.field)?.as ?? null}
                    onChoose={onChoose}
                  />
                ),
              )}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

interface RowProps extends Pick<Props, 'texts' | 'onChoose'> {
  field: MaskedField
  choice: FieldChoice['as'] | null
}

function FieldRow({ field: of, texts, choice, onChoose }: RowProps) {
  const { field, kept, aliases, masked, examples } = of
  const buttons = useRef<HTMLDivElement>(null)
  // A choice can be reversed at once, before the preview has its effect.
  const canKeep = choice === null ? aliases + masked > 0 : choice === 'mask'
  const canMask = choice === null ? kept > 0 : choice === 'keep'
  const options = (['keep', 'mask'] as const).filter(
    (as) => canChoose(field) && (as === 'keep' ? canKeep : canMask),
  )
  const rest = texts.slice(visibleTexts)
  const changed = examples.filter(({ was, becomes }) => was !== becomes)
  return (
    <li
      className="masked-field grid gap-2 bg-surface px-6 py-3 text-s [contain-intrinsic-height:calc(2_*_var(--control-l))] [content-visibility:auto]"
      data-field={field}
    >
      <div className="flex items-start gap-4">
        <div className="flex min-h-0 min-w-0 flex-1 flex-wrap items-center gap-1 gap-x-5">
          <code className="mono font-semibold wrap-anywhere">
            <Shown text={field} max={160} />
          </code>
          <Outcome icon={Icons.Eye} count={kept} word="as received" />
          <Outcome
            icon={Icons.UserRound}
            count={aliases}
            word={aliases === 1 ? 'alias' : 'aliases'}
          />
          <Outcome icon={Icons.EyeOff} count={masked} word="masked" />
        </div>
        <div className="flex flex-none gap-3" ref={buttons}>
          {options.map((as) => (
            <Button
              small
              key={as}
              aria-label={`${choiceLabels[as]} ${field}`}
              onClick={() =>
                focusAfter(
                  () => onChoose({ field, as }),
                  () => buttons.current?.querySelector('button'),
                )
              }
            >
              {choiceLabels[as]}
            </Button>
          ))}
        </div>
      </div>
      {changed.length > 0 ? (
        <ul className="grid gap-1 icon-xs" aria-label="Examples">
          {changed.map(({ deliveryId, was, becomes }) => (
            <li
              className="flex min-w-0 flex-wrap items-center gap-x-3"
              key={`${was} ${becomes}`}
              title={deliveryId === null ? undefined : `Delivery ${deliveryId}`}
            >
              {was === null ? (
                <em className="text-dim">not shown</em>
              ) : (
                <span className="mono wrap-anywhere">
                  <Shown text={was} max={80} />
                </span>
              )}
              <Icons.ArrowRight className="text-dim" />
              <span className="visually-hidden">becomes</span>
              <span className="mono font-semibold wrap-anywhere">
                <Shown text={becomes} max={80} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        texts.length === 0 && (
          <Values
            label="Examples"
            texts={examples.map(({ becomes }) => ({ text: becomes }))}
            more={kept > examples.length}
          />
        )
      )}
      {texts.length > 0 && <Values texts={texts.slice(0, visibleTexts)} />}
      {rest.length > 0 && (
        <Fold summary={`${plural(rest.length, 'more text', 'more texts')} as received`}>
          <Values texts={rest} />
        </Fold>
      )}
    </li>
  )
}

function Outcome({ icon: Icon, count, word }: { icon: Icon; count: number; word: string }) {
  return (
    count > 0 && (
      <span className="inline-flex items-center gap-2 whitespace-nowrap text-mid icon-xs">
        <Icon aria-hidden /> {formatCount(count)} {word}
      </span>
    )
  )
}

const visibleTexts = 12

interface ValuesProps {
  texts: readonly { readonly text: string; readonly values?: number }[]
  label?: string
  /** There are others. */
  more?: boolean
}

function Values({ texts, label = 'As received', more = false }: ValuesProps) {
  return (
    <ul className="flex flex-wrap gap-2" aria-label={label}>
      {texts.map(({ text, values = 1 }) => (
        <li key={text} className="tag">
          <Shown text={text} max={80} />
          {values > 1 && <span className="text-dim"> × {formatCount(values)}</span>}
        </li>
      ))}
      {more && (
        <li className="text-dim">
          <span aria-hidden>…</span>
          <span className="visually-hidden">and more</span>
        </li>
      )}
    </ul>
  )
}

const bodies: Readonly<Record<string, string>> = {
  body: 'Bodies of deliveries and requests',
  'response body': 'Bodies of responses',
  'run body': 'Bodies of authorization runs',
}

function OmittedBodies({ field: { field, masked, examples } }: { field: MaskedField }) {
  return (
    <li className="grid gap-1 bg-surface px-6 py-3 text-s">
      <div className="flex items-center gap-3 icon-xs">
        <Icons.Ban />
        <b>{bodies[field] ?? field}</b>
        <span className="text-mid">{formatCount(masked)} left out</span>
      </div>
      {examples.map(({ deliveryId, becomes }) => (
        <p className="text-mid" key={becomes}>
          {becomes}.{deliveryId !== null && ` Example: delivery ${deliveryId}.`}
        </p>
      ))}
    </li>
  )
}
