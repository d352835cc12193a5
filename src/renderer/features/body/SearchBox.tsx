import { ChevronDown, ChevronUp, Search as SearchIcon } from 'lucide-react'
import { IconButton } from '../../components/Button.tsx'
import { count } from '../../components/text/numbers.ts'
import type { Search } from './use-search.ts'

/** Finds in the body that is shown. */
export function SearchBox({ search }: { readonly search: Search }) {
  const { wanted, found, turn, step, setWanted } = search
  const at = found === 0 ? 0 : (((turn % found) + found) % found) + 1
  return (
    <div className="body-search" role="search">
      <SearchIcon aria-hidden />
      <input
        aria-label="Find in body"
        placeholder="Find in body"
        value={wanted}
        spellCheck={false}
        onChange={(event) => setWanted(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape' && wanted !== '') {
            event.stopPropagation()
            setWanted('')
          }
        }}
      />
      {wanted !== '' && (
        <>
          <span className="body-hits" role="status">
            {found === 0 ? 'none' : `${count(at)} of ${count(found)}`}
          </span>
          <IconButton label="Previous match" onClick={() => step(-1)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next match" onClick={() => step(1)}>
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  )
}
