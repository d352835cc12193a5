import type { FieldFormat, FieldType } from '#catalogue/define.ts'
import { describeValueKind } from '#catalogue/field-type.ts'
import { Text, Row } from '../../../ui/Layout.tsx'
import { Shown } from '../../../ui/Shown.tsx'
import { truncate } from '../../../ui/text/visible.ts'
import { Tooltip } from '../../../ui/Tooltip.tsx'
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
    <div className="field-row">
      <dt>
        <Tooltip
          text={
            <>
              {documented?.description.replaceAll('`', '') ??
                'The API documentation does not list this field.'}
              <span className="tooltip-type">
                <Shown text={key} />: {type}
              </span>
            </>
          }
        >
          <button
            type="button"
            className="field-label field-explained tone-mid anywhere"
            data-extra={documented === null}
          >
            {documented?.label ?? <Shown text={key} />}
          </button>
        </Tooltip>
      </dt>
      <Text as="dd" shrink anywhere selectable className="field-value">
        {state.absent === null && instead === undefined ? (
          <FieldValue value={value} format={format} />
        ) : (
          <em className="dim">{state.absent ?? instead}</em>
        )}
        {/* Without the space, screen readers join both words. */}{' '}
        {state.mark && (
          <span className="tag" data-tone={state.mark.tone}>
            {state.mark.text}
          </span>
        )}
      </Text>
      <Row
        as="dd"
        justify="end"
        gap={3}
        shrink
        nowrap
        size="2xs"
        tone="dim"
        mono
        className="field-key"
        title={key}
      >
        {documented !== null && (
          <Text tone="mid" cut>
            {key}
          </Text>
        )}
        <Text fixed>{type}</Text>
      </Row>
    </div>
  )
}
