export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 20 20" fill="none" strokeWidth="2" aria-hidden="true">
      <circle cx="8.5" cy="8.5" r="5.5" />
      <path d="m12.8 12.8 4.2 4.2M6 8.5h5M8.5 6v5" strokeLinecap="round" />
    </svg>
  )
}
