-- What the data of the last 7 days consists of: CloudFront bills it per GB.
SELECT
  cache_behavior_path_pattern AS route,
  sc_content_type AS content_type,
  count(*) AS requests,
  round(sum(TRY_CAST(sc_bytes AS bigint)) / 1e9, 3) AS gigabytes,
  round(avg(TRY_CAST(sc_bytes AS bigint)) / 1e3, 1) AS mean_kilobytes
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
GROUP BY cache_behavior_path_pattern, sc_content_type
ORDER BY gigabytes DESC
LIMIT 50;
