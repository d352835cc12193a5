import './Switch.css'

interface Props {
  /** The accessible name. */
  readonly label: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

/** On or off, at once. */
export function Switch({ label, on, onChange }: Props) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={label}
      title={on ? 'On' : 'Off'}
      className="switch"
      onClick={() => onChange(!on)}
    >
      <span aria-hidden>{on ? 'On' : 'Off'}</span>
    </button>
  )
}
