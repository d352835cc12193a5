import { useEffect } from 'react'
import { cut, visible } from '#renderer/components/text/visible.ts'
import type { useCombobox } from '#renderer/components/use-combobox.ts'
import type { Completions } from './completions.ts'
import type { Completion } from './value-options.ts'
import '#renderer/components/Options.css'

interface Props {
  readonly box: ReturnType<typeof useCombobox>
  readonly completions: Completions
}

const groupNames = {
  field: 'field',
  value: 'value',
  term: 'term',
  saved: 'saved',
  recent: 'recent',
} as const satisfies Record<Completion['kind'], string>

/** What could stand at the caret, under the field. */
export function CompletionList({ box, completions }: Props) {
  const active = box.field['aria-activedescendant']
  useEffect(() => {
    const option = active === undefined ? null : document.getElementById(active)
    option?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul {...box.list} className="options completions" aria-label="Completions">
      {completions.options.map((option, index) => (
        // The field handles the keys, as a combobox does.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <li key={`${option.kind} ${option.insert}`} {...box.option(index)} className="option">
          <span className="mono completion-label">{visible(cut(option.label, 60))}</span>
          <span className="dim cut">{visible(cut(option.note, 120))}</span>
          <span className="dim completion-kind">{groupNames[option.kind]}</span>
        </li>
      ))}
    </ul>
  )
}
