import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'php',
  label: 'PHP',
  language: 'PHP',
  fileName: 'webhooks.php',
  note: 'json_encode() writes the decoded body with different bytes: it escapes slashes and non-ASCII characters. php://input returns the received bytes.',
  code: (brand) => `<?php

$secret = getenv('WEBHOOK_SECRET');
if (!$secret) {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET.');
}

$rawBody = file_get_contents('php://input');
$expected = hash_hmac('sha256', $rawBody, $secret);
$given = $_SERVER['${serverKey(headerName(brand, 'signature'))}'] ?? '';

// In constant time; false when the lengths differ.
if (!hash_equals($expected, $given)) {
    http_response_code(401);
    exit;
}

$event = json_decode($rawBody, true);
error_log($event['type']); // Long work belongs in a queue.
http_response_code(204);
`,
})

/** The name under which PHP provides a header. */
function serverKey(name: string): string {
  return `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
}
