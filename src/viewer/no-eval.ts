import { config } from 'zod'

// Without this, schemas test whether they may compile functions from text, which violates the page's content security policy and is
// reported by browsers. This file must be imported first, before any schema is created.
config({ jitless: true })
