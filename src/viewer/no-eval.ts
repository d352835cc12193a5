import { config } from 'zod'

// Schemas would else try whether they may make functions of text, which the page's policy refuses, and a browser tells of as a breach. Before
// any of them is made, hence imported first.
config({ jitless: true })
