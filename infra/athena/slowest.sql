-- How long callers wait, in seconds, in the last 7 days: until the first byte and until the last one.
SELECT
  cache_behavior_path_pattern AS route,
  cs_method AS method,
  x_edge_result_type AS result,
  count(*) AS requests,
  round(approx_percentile(TRY_CAST(time_to_first_byte AS double), 0.5), 3) AS first_byte_p50,
  round(approx_percentile(TRY_CAST(time_to_first_byte AS double), 0.99), 3) AS first_byte_p99,
  round(approx_percentile(TRY_CAST(time_taken AS double), 0.99), 3) AS complete_p99
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
GROUP BY cache_behavior_path_pattern, cs_method, x_edge_result_type
HAVING count(*) >= 20
ORDER BY first_byte_p99 DESC
LIMIT 50;
