import { useId } from 'react'

interface Props {
  label: string
  describedBy?: string
  on: boolean
  onChange: (on: boolean) => void
}

/** A switch that takes effect immediately. */
export function Switch({ label, describedBy, on, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      aria-describedby={describedBy}
      title={on ? 'On' : 'Off'}
      className="switch after:absolute after:top-[2px] after:left-[2px] after:h-(--icon-xs) after:w-(--icon-xs) after:rounded-[50%] after:bg-dim after:[transition:translate_var(--ease)] aria-checked:border-accent aria-checked:bg-accent data-on:border-accent data-on:bg-accent"
      onClick={() => onChange(!on)}
    >
      <span aria-hidden>{on ? 'On' : 'Off'}</span>
    </button>
  )
}

interface SegmentsProps<T extends string> {
  label: string
  value: T
  options: readonly { readonly value: T; readonly label: string }[]
  onChange: (value: T) => void
}

/** A choice between a few options. Uses native radio buttons, so that the arrow keys work. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div
      className="segments inline-flex max-w-full flex-none flex-wrap gap-px rounded-md bg-sunken p-1"
      role="radiogroup"
      aria-label={label}
      data-scrolls
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="segment [&_input]:absolute [&_input]:inset-0 [&_input]:m-0 [&_input]:opacity-0"
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
