# inputs: EVAL_ONLY=UNSET|true; CONC=UNSET|8|256
MTP=${MTP:-3}
EXTRA_CONFIG_FILE=extra.yaml
cat << EOF > $EXTRA_CONFIG_FILE
max_batch_size: ${CONC:-1}
speculative_config:
    decoding_type: MTP
    num_nextn_predict_layers: ${MTP}
EOF
if [[ "$EVAL_ONLY" != "true" ]]; then
  cat >> $EXTRA_CONFIG_FILE <<-'EOF'
	env_overrides:
	  TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS: "1.49"
	EOF
fi
if [ "${CONC:-0}" -gt 64 ]; then
cat >> "$EXTRA_CONFIG_FILE" <<EOF
enable_attention_dp: true
EOF
fi
rec "$(cat $EXTRA_CONFIG_FILE)"
rec mpirun -n 1 --oversubscribe trtllm-serve model --extra_llm_api_options=$EXTRA_CONFIG_FILE --tp_size 8
rec "$(grep -c . $EXTRA_CONFIG_FILE)"
