import type { FieldFormat, FieldType } from '#catalogue/define.ts'
import { describeValueKind } from '#catalogue/field-type.ts'
import { Shown } from '#kit/Shown.tsx'
import { truncate } from '#kit/text/visible.ts'
import { Tooltip } from '#kit/Tooltip.tsx'
import { FieldValue } from './FieldValue.tsx'
import type { FieldState } from './field-state.ts'

interface Props {
  /** Its entry in the API documentation; null if it is not documented. */
  readonly documented: {
    readonly label: string
    readonly type: FieldType
    readonly description: string
  } | null
  readonly name: string
  /** Undefined if the field is absent. */
  readonly value: unknown
  readonly format: FieldFormat
  readonly state: FieldState
  /** Text shown in place of a value that is displayed elsewhere. */
  readonly instead?: string | undefined
}

/** One field of a payload: its label with a description, its value with remarks, its key and its type. */
export function FieldRow({ documented, name, value, format, state, instead }: Props) {
  const key = truncate(name, 60)
  const type = documented?.type ?? describeValueKind(value)
  return (
    <div className="field-row grid min-h-(--control) grid-cols-[var(--measure-key)_minmax(0,1fr)_auto] items-baseline gap-4 px-0 py-2">
      <dt>
        <Tooltip
          text={
            <>
              {documented?.description.replaceAll('`', '') ??
                'The API documentation does not list this field.'}
              <span className="mt-1 block font-mono text-xs opacity-85">
                <Shown text={key} />: {type}
              </span>
            </>
          }
        >
          <button
            type="button"
            className="field-label field-explained cursor-help wrap-anywhere text-mid"
            data-extra={documented === null}
          >
            {documented?.label ?? <Shown text={key} />}
          </button>
        </Tooltip>
      </dt>
      <dd className="min-w-0 wrap-anywhere select-text [&>.tag]:ml-4">
        {state.absent === null && instead === undefined ? (
          <FieldValue value={value} format={format} />
        ) : (
          <em className="text-dim">{state.absent ?? instead}</em>
        )}
        {/* Without the space, screen readers join both words. */}{' '}
        {state.mark && (
          <span className="tag" data-tone={state.mark.tone}>
            {state.mark.text}
          </span>
        )}
      </dd>
      <dd
        className="mono field-key flex max-w-(--measure-field) min-w-0 justify-end gap-3 text-2xs whitespace-nowrap text-dim"
        title={key}
      >
        {documented !== null && <span className="cut text-mid">{key}</span>}
        <span className="flex-none">{type}</span>
      </dd>
    </div>
  )
}
