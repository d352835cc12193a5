interface Props {
  label: string
  /** 0 to 1; null if the total is unknown. */
  share: number | null
  words: string
}

export function Progress({ label, share, words }: Props) {
  return (
    <div
      className="log-progress relative h-3 overflow-hidden rounded-sm bg-sunken"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share === null ? undefined : Math.round(share * 100)}
      aria-valuetext={words}
      data-unknown={share === null || undefined}
    >
      <span style={{ width: share === null ? undefined : `${share * 100}%` }} />
    </div>
  )
}
