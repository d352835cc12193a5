import { Shown } from '#kit/Shown.tsx'

const maxShown = 12

/** The endpoints that a key may read. */
export function Slugs({ slugs }: { readonly slugs: readonly string[] }) {
  if (slugs.includes('*')) return <span>all</span>
  const rest = slugs.length - maxShown
  return (
    <span className="inline-flex flex-wrap gap-2">
      {slugs.slice(0, maxShown).map((slug) => (
        <span className="tag mono" key={slug}>
          <Shown text={slug} max={63} />
        </span>
      ))}
      {rest > 0 && <span className="text-dim">and {rest} more</span>}
    </span>
  )
}
