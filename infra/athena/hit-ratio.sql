-- Which routes CloudFront answers by itself, in the last 7 days. A route is the path pattern of a cache behavior; `*` is
-- the default behavior: profiles, lists, feeds and searches by permalink.
SELECT
  cache_behavior_path_pattern AS route,
  count(*) AS requests,
  count_if(x_edge_result_type IN ('Hit', 'RefreshHit', 'OriginShieldHit')) AS hits,
  round(100.0 * count_if(x_edge_result_type IN ('Hit', 'RefreshHit', 'OriginShieldHit')) / count(*), 1) AS hit_percent
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
GROUP BY cache_behavior_path_pattern
ORDER BY requests DESC;
