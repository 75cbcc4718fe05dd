-- One request of the last 7 days, by the X-Amz-Cf-Id of its answer. Replace REQUEST_ID. The line of the function has the
-- same id as viewer_request_id.
SELECT *
FROM access_log
WHERE log_hour >= date_format(current_timestamp - INTERVAL '7' DAY, '%Y/%m/%d/%H')
  AND x_edge_request_id = 'REQUEST_ID';
