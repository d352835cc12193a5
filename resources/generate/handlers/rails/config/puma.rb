port ENV.fetch("PORT", 3000)
# Larger bodies get 413.
http_content_length_limit 10 * 1024 * 1024
