import { Icons } from '#kit/icons.tsx'
import type { MarkedToken, Token, Tokens } from 'marked'
import { createContext, type ReactNode, use } from 'react'
import { CopyButton } from '#kit/Button.tsx'
import { MarkedText } from '#kit/Shown.tsx'
import { marksOfStems } from '#kit/text/meaning.ts'
import { type GuidePage, plainText, resolveLink, supportedTokens } from './guide.ts'
import { guideAddress } from '#client/addresses/guide.ts'

interface MarkdownProps {
  page: GuidePage
  /** The normalized search terms, which are highlighted in the text. */
  words: readonly string[]
}

const PageContext = createContext<MarkdownProps | null>(null)

/** A page of the guide. It is built from React elements and never from HTML, so the content of a file cannot become markup. */
export function Markdown(props: MarkdownProps) {
  return (
    <PageContext value={props}>
      <Blocks tokens={props.page.tokens} />
    </PageContext>
  )
}

function usePage(): MarkdownProps {
  const context = use(PageContext)
  if (context === null) throw new Error('Guide elements must be rendered inside <Markdown>.')
  return context
}

function renderEach(
  tokens: readonly Token[],
  render: (token: MarkedToken) => ReactNode,
): ReactNode {
  return supportedTokens(tokens).map((token, at) => (
    <Rendered key={at} token={token} render={render} />
  ))
}

function Rendered({
  token,
  render,
}: {
  token: MarkedToken
  render: (token: MarkedToken) => ReactNode
}) {
  return render(token)
}

function Blocks({ tokens }: { tokens: readonly Token[] }) {
  return renderEach(tokens, (token) => {
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

function Inline({ tokens }: { tokens: readonly Token[] }) {
  return renderEach(tokens, (token) => {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
        return (
          <token.type>
            <Inline tokens={token.tokens} />
          </token.type>
        )
      case 'codespan':
        return (
          <code>
            <HighlightedText text={token.text} />
          </code>
        )
      case 'link':
        return <Link token={token} />
      case 'br':
        return <br />
      case 'text':
        return token.tokens ? (
          <Inline tokens={token.tokens} />
        ) : (
          <HighlightedText text={token.text} />
        )
      default:
        return <HighlightedText text={'text' in token ? token.text : ''} />
    }
  })
}

function HighlightedText({ text }: { text: string }) {
  const { words } = usePage()
  return words.length === 0 ? (
    text
  ) : (
    <MarkedText text={text} marks={marksOfStems(words, text, Infinity)} />
  )
}

function Link({ token }: { token: Tokens.Link }) {
  const { page } = usePage()
  const href = resolveLink(token.href, page.name)
  const external = !href.startsWith('#')
  return (
    <a href={href} {...(external && { target: '_blank', rel: 'noreferrer' })}>
      <Inline tokens={token.tokens} />
    </a>
  )
}

export function headingId(slug: string): string {
  return `guide-${slug}`
}

/** One level below that of the file: the page's own title is the first. */
function Heading({ token }: { token: Tokens.Heading }) {
  const { page } = usePage()
  const slug = page.slugs.get(token) ?? ''
  if (token.depth === 1) {
    return (
      <h2 tabIndex={-1} id={headingId(slug)}>
        <Inline tokens={token.tokens} />
      </h2>
    )
  }
  const Level = token.depth === 2 ? 'h3' : 'h4'
  return (
    <Level tabIndex={-1} id={headingId(slug)}>
      <Inline tokens={token.tokens} />
      <a
        className="guide-anchor ml-2 inline-flex text-dim opacity-0 focus-visible:opacity-100"
        href={guideAddress(page.name, slug)}
        aria-label={`Link to “${plainText([token])}”`}
      >
        <Icons.Link2 />
      </a>
    </Level>
  )
}

function Code({ text }: { text: string }) {
  return (
    <div className="guide-code relative [&_.icon-button]:absolute [&_.icon-button]:top-2 [&_.icon-button]:right-2">
      {/* A scrollable element must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="mono select-text" tabIndex={0}>
        <HighlightedText text={text} />
      </pre>
      <CopyButton text={text} label="Copy code" />
    </div>
  )
}

function Table({ token }: { token: Tokens.Table }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div
      className="guide-table overflow-auto [&_table]:min-w-full [&_table]:leading-[1.45] [&_table]:normal-nums [&_td:first-child_code]:wrap-normal"
      tabIndex={0}
      role="group"
      aria-label="Table"
    >
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
