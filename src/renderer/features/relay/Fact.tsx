import type { ReactNode } from 'react'
import { Row, Text } from '../../ui/Layout.tsx'
import { Shown } from '../../ui/Shown.tsx'
import { truncate } from '../../ui/text/visible.ts'

/** A name and its value, in a grid of two columns. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <Text as="dt" tone="mid">
        {name}
      </Text>
      <Text as="dd" shrink anywhere>
        {children}
      </Text>
    </>
  )
}

const maxShown = 12

/** The endpoints that a key may read. */
export function Slugs({ slugs }: { readonly slugs: readonly string[] }) {
  if (slugs.includes('*')) return <span>all</span>
  const rest = slugs.length - maxShown
  return (
    <Row as="span" inline wrap gap={2}>
      {slugs.slice(0, maxShown).map((slug) => (
        <span className="tag mono" key={slug}>
          <Shown text={truncate(slug, 63)} />
        </span>
      ))}
      {rest > 0 && <span className="dim">and {rest} more</span>}
    </Row>
  )
}
