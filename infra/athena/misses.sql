-- Which routes and media types cost the most calls of the functions, in the last 7 days.
SELECT
  cache_behavior_path_pattern AS route,
  sc_content_type AS content_type,
  count(*) AS misses,
  round(avg(TRY_CAST(origin_fbl AS double)), 3) AS mean_origin_seconds,
  round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent_of_misses
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
  AND x_edge_result_type = 'Miss'
GROUP BY cache_behavior_path_pattern, sc_content_type
ORDER BY misses DESC
LIMIT 50;
