import { Link2 } from 'lucide-react'
import type { MarkedToken, Token, Tokens } from 'marked'
import { createContext, type ReactNode, use } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { MarkedText } from '../../ui/MarkedText.tsx'
import { marksOf } from '../../ui/text/search-terms.ts'
import { copyText } from '../../platform/clipboard.ts'
import { type GuidePage, known, plainText, resolveLink } from './guide.ts'
import { guideAddress } from '../../routes/guide.ts'

interface Shown {
  readonly page: GuidePage
  /** What is searched for, as it is compared; set off in the text. */
  readonly words: readonly string[]
}

const ShownContext = createContext<Shown | null>(null)

/** A page of the guide. It is made of elements, never of HTML: what a file holds cannot become markup. */
export function Markdown(shown: Shown) {
  return (
    <ShownContext value={shown}>
      <Blocks tokens={shown.page.tokens} />
    </ShownContext>
  )
}

function useShown(): Shown {
  const shown = use(ShownContext)
  if (shown === null) throw new Error('Markdown is drawn within a page of the guide.')
  return shown
}

/** What does not change its order needs no other key than its place. */
function each(tokens: readonly Token[], draw: (token: MarkedToken) => ReactNode): ReactNode {
  return known(tokens).map((token, at) => <Drawn key={at} token={token} draw={draw} />)
}

function Drawn({
  token,
  draw,
}: {
  readonly token: MarkedToken
  readonly draw: (token: MarkedToken) => ReactNode
}) {
  return draw(token)
}

function Blocks({ tokens }: { readonly tokens: readonly Token[] }) {
  return each(tokens, (token) => {
    switch (token.type) {
      case 'heading':
        return <Heading token={token} />
      case 'paragraph':
        return (
          <p>
            <Inline tokens={token.tokens} />
          </p>
        )
      case 'code':
        return <Code text={token.text} />
      case 'table':
        return <Table token={token} />
      case 'blockquote':
        return (
          <blockquote>
            <Blocks tokens={token.tokens} />
          </blockquote>
        )
      case 'hr':
        return <hr />
      case 'list': {
        const items = token.items.map((item, at) => (
          <li key={`${at} ${item.raw}`}>
            <Blocks tokens={item.tokens} />
          </li>
        ))
        return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
      }
      case 'html':
        return token.text.startsWith('<!--') ? null : <p>{token.text}</p>
      default:
        return <Inline tokens={[token]} />
    }
  })
}

function Inline({ tokens }: { readonly tokens: readonly Token[] }) {
  return each(tokens, (token) => {
    switch (token.type) {
      case 'strong':
        return (
          <strong>
            <Inline tokens={token.tokens} />
          </strong>
        )
      case 'em':
        return (
          <em>
            <Inline tokens={token.tokens} />
          </em>
        )
      case 'del':
        return (
          <del>
            <Inline tokens={token.tokens} />
          </del>
        )
      case 'codespan':
        return (
          <code>
            <Found text={token.text} />
          </code>
        )
      case 'link':
        return <Link token={token} />
      case 'br':
        return <br />
      case 'text':
        return token.tokens ? <Inline tokens={token.tokens} /> : <Found text={token.text} />
      default:
        return <Found text={'text' in token ? token.text : ''} />
    }
  })
}

/** A text with the words that are searched for. */
function Found({ text }: { readonly text: string }) {
  const { words } = useShown()
  return words.length === 0 ? (
    text
  ) : (
    <MarkedText text={text} marks={marksOf(words, text, Infinity)} />
  )
}

function Link({ token }: { readonly token: Tokens.Link }) {
  const { page } = useShown()
  const href = resolveLink(token.href, page.name)
  const leaves = !href.startsWith('#')
  return (
    <a href={href} {...(leaves && { target: '_blank', rel: 'noreferrer' })}>
      <Inline tokens={token.tokens} />
    </a>
  )
}

/** The id of a heading in the document. */
export function headingId(slug: string): string {
  return `guide-${slug}`
}

function Heading({ token }: { readonly token: Tokens.Heading }) {
  const { page } = useShown()
  const slug = page.slugs.get(token) ?? ''
  if (token.depth === 1) {
    return (
      <h1 tabIndex={-1} id={headingId(slug)}>
        <Inline tokens={token.tokens} />
      </h1>
    )
  }
  const Level = token.depth === 2 ? 'h2' : 'h3'
  return (
    <Level tabIndex={-1} id={headingId(slug)}>
      <Inline tokens={token.tokens} />
      <a
        className="guide-anchor"
        href={guideAddress(page.name, slug)}
        aria-label={`Link to “${plainText([token])}”`}
      >
        <Link2 aria-hidden />
      </a>
    </Level>
  )
}

function Code({ text }: { readonly text: string }) {
  return (
    <div className="guide-code">
      {/* It scrolls sideways, also by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="mono selectable" tabIndex={0}>
        <Found text={text} />
      </pre>
      <CopyButton text={text} label="Copy code" copy={copyText} />
    </div>
  )
}

function Table({ token }: { readonly token: Tokens.Table }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="scroll guide-table" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell) => (
              <th key={cell.text} scope="col">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={at}>
              {row.map((cell, column) => (
                <td key={token.header[column]?.text}>
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
