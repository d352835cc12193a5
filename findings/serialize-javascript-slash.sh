#!/usr/bin/env bash
# serialize-javascript 7.1.4: a slash becomes `\u002F`, where PHP, Swift and json-c write `\/`, and `&` and `'` stay. The text is valid JSON with
# the same content, and other bytes.
. "$(dirname "$0")/common.sh"
npm_packages serialize-javascript@7.1.4
got=$(node -p "require('serialize-javascript')({ path: 'a/b', name: '<Bar> & Grill\'s' })")
expect '{"path":"a\u002Fb","name":"\u003CBar\u003E & Grill'"'"'s"}' "$got"
