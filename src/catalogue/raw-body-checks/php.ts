import { headerName } from '../headers.ts'
import { defineRawBodyCheck } from '../raw-body-check.ts'

export default defineRawBodyCheck({
  id: 'php',
  label: 'PHP',
  language: 'PHP',
  fileName: 'webhooks.php',
  note: 'json_encode() writes the decoded body with different bytes: it escapes slashes and non-ASCII characters. php://input returns the received bytes, up to post_max_size in php.ini.',
  code: (brand) => `<?php

$secret = getenv('WEBHOOK_SECRET');
if (!$secret) {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET.');
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
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
if (!is_array($event) || !is_string($event['type'] ?? null)) {
    http_response_code(400);
    exit;
}
http_response_code(204);

// There is no event ID. In production, use a table with a unique key instead of files.
$target = $event['targetUuid'] ?? $event['targetId'] ?? null;
$key = sha1(json_encode([$event['type'], $target, $event['createdAt'] ?? null]));
if (!@fopen(sys_get_temp_dir() . "/webhook-$key", 'x')) {
    exit; // It was processed before.
}

// The types that you subscribe to. Ignore others: new ones may be added.
$types = ['ORDER_PLACED', 'OPEN_TAB', 'CLOSE_TAB', 'ITEM_ADDED', 'ITEM_REMOVED', 'PRODUCT_UPDATED'];
if (in_array($event['type'], $types, true)) {
    error_log("$event[type] $target"); // Long work belongs in a queue.
}
`,
})

/** The name under which PHP provides a header. */
export function serverKey(name: string): string {
  return `HTTP_${name.toUpperCase().replaceAll('-', '_')}`
}
