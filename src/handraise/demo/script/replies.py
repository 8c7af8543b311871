"""The script's sentences, in Chinese and English. What is in braces is filled in."""

from __future__ import annotations

from collections.abc import Mapping

from handraise.core.languages import Language

REPLIES: Mapping[str, Mapping[Language, str]] = {
    "greeting": {
        "zh": "您好！我是店铺的智能客服，可以帮您查订单和物流、退款、取消订单、改地址、查会员积分，"
        "也可以回答店铺的规则。请问有什么可以帮您？",
        "en": "Hello! I am the shop's assistant. I can look up orders and shipping, refund, cancel, change an address, "
        "check your membership, or answer questions about the shop. What can I do for you?",
    },
    "unclear": {
        "zh": "抱歉，我没有完全明白。您可以这样说：“订单 1002 到哪了？”“我要退款，订单 1001”“取消所有待支付的订单”。",
        "en": 'Sorry, I did not quite get that. You could say: "Where is order 1002?", '
        '"I want a refund for order 1001" or "Cancel all my pending orders".',
    },
    "leave": {
        "zh": "好的，那就保持原样，我什么都没有改动。还有其他可以帮您的吗？",
        "en": "All right, I leave everything as it is. Is there anything else I can do?",
    },
    "thanks": {
        "zh": "不客气！还有其他可以帮您的吗？",
        "en": "You are welcome! Is there anything else I can do?",
    },
    "goodbye": {"zh": "感谢您的光临，祝您生活愉快，再见！", "en": "Thank you for stopping by. Have a nice day!"},
    "person": {
        "zh": "我会一直在这里为您服务；需要时，我会请后台的同事核实或决定。请告诉我是什么事，最好带上订单号。",
        "en": "I stay with you, and whenever it takes a person I ask a colleague backstage. Tell me what it is about, "
        "with the order number if there is one.",
    },
    "which_order": {
        "zh": "请问是哪个订单？您的订单有：{orders}。",
        "en": "Which order is it about? Yours are: {orders}.",
    },
    "no_orders": {"zh": "您目前没有这样的订单。", "en": "You have no such orders at the moment."},
    "unknown_order": {
        "zh": "没有查到您名下的订单 {order}，请核对一下订单号。",
        "en": "I cannot find an order {order} of yours. Please check the number.",
    },
    "your_orders": {"zh": "您的订单：\n{orders}", "en": "Your orders:\n{orders}"},
    "pending_orders": {
        "zh": "您有 {count} 个待支付的订单，共 {total} 元：\n{orders}",
        "en": "You have {count} unpaid orders, {total} in all:\n{orders}",
    },
    "order_line": {"zh": "{order}　{items}　{total} 元　{status}", "en": "{order}: {items}, {total}, {status}"},
    "order": {
        "zh": "订单 {order}：{items}，{total} 元，状态：{status}，收货地址：{address}。",
        "en": "Order {order}: {items}, {total}, {status}; it goes to {address}.",
    },
    "shipped": {
        "zh": "订单 {order}（{items}）已于 {shipped} 由 {carrier} 发货，物流单号 {tracking}，预计 {expected} 送达。",
        "en": "Order {order} ({items}) was shipped on {shipped} with {carrier}, tracking number {tracking}. "
        "It should arrive by {expected}.",
    },
    "delivered": {
        "zh": "订单 {order}（{items}）已送达，{carrier} 单号 {tracking}，{shipped} 发货。",
        "en": "Order {order} ({items}) was delivered; {carrier} {tracking}, shipped on {shipped}.",
    },
    "not_shipped": {
        "zh": "订单 {order}（{items}）目前是“{status}”，还没有发货。",
        "en": "Order {order} ({items}) is {status}, so it was not shipped.",
    },
    "checking_shipping": {
        "zh": "正在为您核实订单 {orders} 的发货信息，请稍候。",
        "en": "I am checking the shipping of order {orders}, one moment please.",
    },
    "ask_shipping": {
        "zh": "请帮我查询订单 {orders} 的发货时间和物流单号",
        "en": "Please look up when order {orders} was shipped, and its tracking number",
    },
    "found": {"zh": "为您查到：{response}", "en": "Here is what I found: {response}"},
    "timeout_inform": {
        "zh": "这件事我暂时无法确认，也没有做任何改动。建议您稍后再试或留下联系方式，我们会尽快回复您。",
        "en": "I cannot confirm it right now, and nothing was changed. Please try again later or leave your contact "
        "details, and we will get back to you as soon as we can.",
    },
    "timeout_ticket": {
        "zh": "这件事我暂时无法确认，也没有做任何改动。问题已经登记，同事会跟进。",
        "en": "I cannot confirm it right now, and nothing was changed. It is recorded, and a colleague will follow up.",
    },
    "timeout_self_service": {
        "zh": "这件事我暂时无法确认，也没有做任何改动。您可以先自助查询。",
        "en": "I cannot confirm it right now, and nothing was changed. You can look it up yourself meanwhile.",
    },
    "nobody_reviewed": {
        "zh": "抱歉，同事没能及时审核，所以这次没有办理，您的订单没有变化。"
        "建议您稍后再试或留下联系方式，我们会尽快回复您。",
        "en": "Sorry, nobody could review it in time, so nothing was done and your order is unchanged. "
        "Please try again later or leave your contact details, and we will get back to you as soon as we can.",
    },
    "checking_refund": {
        "zh": "正在为您核实订单 {orders} 的退款，请稍候。",
        "en": "Let me check the refund for order {orders}.",
    },
    "ask_opened": {
        "zh": "用户要求退款已拆封的商品（订单 {order}，{items}，{total} 元），请选择处理策略",
        "en": "The customer wants a refund for an opened item (order {order}, {items}, {total}). What shall we do?",
    },
    "ask_damaged": {
        "zh": "用户反映商品损坏（订单 {order}，{items}，{total} 元），请选择处理策略",
        "en": "The customer says the goods are damaged (order {order}, {items}, {total}). What shall we do?",
    },
    "option_full": {"zh": "批准全额退款", "en": "Refund in full"},
    "option_half": {"zh": "批准 50% 退款", "en": "Refund 50 %"},
    "option_none": {"zh": "拒绝退款", "en": "No refund"},
    "refunded": {"zh": "退款已办理，{amount} 元将原路退回。", "en": "Done: {amount} has been refunded to your card."},
    "refunded_of": {
        "zh": "订单 {order} 的退款已办理，{amount} 元将原路退回。",
        "en": "Done: {amount} for order {order} has been refunded to your card.",
    },
    "refunded_part": {
        "zh": "您的退款申请已审批：按订单 {order} 的 {percent}% 退款。退款已办理，{amount} 元将原路退回。",
        "en": "Your request was approved with {percent} % of order {order}. "
        "Done: {amount} has been refunded to your card.",
    },
    "refund_declined": {
        "zh": "很抱歉，这笔退款没有通过：{reason}",
        "en": "I am sorry, it was declined: {reason}",
    },
    "refund_declined_plain": {
        "zh": "很抱歉，订单 {order} 的退款申请没有通过。",
        "en": "I am sorry, the refund for order {order} was declined.",
    },
    "refund_refused": {
        "zh": "很抱歉，订单 {order} 的退款无法办理：{reason}",
        "en": "I am sorry, the refund for order {order} could not be paid: {reason}",
    },
    "why_unknown": {"zh": "没有这个订单。", "en": "there is no such order."},
    "why_not_paid": {"zh": "这个订单还没有付款。", "en": "the order was not paid."},
    "why_too_much": {"zh": "金额超过了可退的金额。", "en": "it is more than can be paid back."},
    "why_already_refunded": {
        "zh": "已经退过款，金额超过了剩下可退的金额。",
        "en": "it was refunded before, and this is more than is left to pay back.",
    },
    "why_status": {"zh": "订单目前是“{status}”。", "en": "the order is {status}."},
    "declined_before": {
        "zh": "订单 {order} 的退款申请之前已经审核过，没有通过，我不能重复提交。",
        "en": "The refund for order {order} was reviewed before and declined, so I cannot submit it again.",
    },
    "already_refunded": {
        "zh": "订单 {order} 已经退款 {refunded} 元，没有可再退的金额。",
        "en": "Order {order} was already refunded ({refunded}); there is nothing left to pay back.",
    },
    "not_paid": {
        "zh": "订单 {order} 还没有付款，不需要退款；要取消的话请告诉我。",
        "en": "Order {order} was not paid, so there is nothing to refund. I can cancel it if you like.",
    },
    "too_much": {
        "zh": "订单 {order} 最多可以退 {left} 元，这次没有办理。",
        "en": "Order {order} can be refunded up to {left}, so nothing was paid.",
    },
    "refund_state": {
        "zh": "订单 {order} 已退款 {refunded} 元（订单金额 {total} 元），一般 1-3 个工作日到账。",
        "en": "Of order {order} ({total}) {refunded} has been refunded; it usually arrives within 1 to 3 working days.",
    },
    "no_refund": {"zh": "订单 {order} 没有退款记录。", "en": "There is no refund on record for order {order}."},
    "advice": {"zh": "同事的答复是：{response}", "en": "This is what my colleague says: {response}"},
    "ask_cancel_all": {
        "zh": "用户请求取消 {count} 个待支付订单，是否执行？订单 {orders}，总金额 {total} 元",
        "en": "The customer asks to cancel {count} unpaid orders. Go ahead? Orders {orders}, {total} in all",
    },
    "option_confirm": {"zh": "确认执行", "en": "Go ahead"},
    "option_decline": {"zh": "不执行", "en": "Do not"},
    "checking_cancel": {
        "zh": "这会一次取消 {count} 个订单（共 {total} 元），正在为您核实，请稍候。",
        "en": "That would cancel {count} orders at once ({total} in all). I am having it checked, one moment please.",
    },
    "cancelled": {"zh": "订单 {orders} 已取消。", "en": "Done: order {orders} is cancelled."},
    "cancelled_many": {
        "zh": "已为您取消 {count} 个订单：{orders}。",
        "en": "Done: {count} orders are cancelled: {orders}.",
    },
    "due": {"zh": "已付的 {due} 元会原路退回。", "en": "The {due} you paid will be returned."},
    "cancel_declined": {
        "zh": "很抱歉，这次没有取消，您的订单没有变化。",
        "en": "I am sorry, it was not cancelled; your orders are unchanged.",
    },
    "because": {"zh": "原因：{reason}", "en": "The reason: {reason}"},
    "too_late": {
        "zh": "订单 {order} 目前是“{status}”，已经不能{what}了。",
        "en": "Order {order} is {status}, so it is too late to {what}.",
    },
    "what_cancel": {"zh": "取消", "en": "cancel it"},
    "what_address": {"zh": "修改地址", "en": "change its address"},
    "checking_cancel_one": {
        "zh": "好的，确认后为您取消订单 {order}。",
        "en": "I will have order {order} cancelled once it is confirmed.",
    },
    "which_address": {
        "zh": "好的，请告诉我订单 {order} 的新地址。",
        "en": "All right. What is the new address for order {order}?",
    },
    "checking_address": {
        "zh": "好的，确认后订单 {order} 将寄到：{address}。",
        "en": "I will send order {order} to {address} once it is confirmed.",
    },
    "address_changed": {
        "zh": "订单 {order} 的收货地址已改为：{address}。",
        "en": "Done: order {order} now goes to {address}.",
    },
    "address_declined": {
        "zh": "好的，订单 {order} 的地址没有修改。",
        "en": "All right, the address of order {order} was not changed.",
    },
    "membership": {
        "zh": "您是{tier}会员，目前有 {points} 积分。",
        "en": "You are a {tier} member and have {points} points.",
    },
    "checking_points": {
        "zh": "正在为您核实订单 {order} 的积分，请稍候。",
        "en": "I am having the points for order {order} checked, one moment please.",
    },
    "points_reason": {"zh": "订单 {order} 的积分没有到账", "en": "the points for order {order} were not credited"},
    "points_granted": {
        "zh": "已为您补上 {points} 积分，现在共有 {total} 积分。",
        "en": "Done: {points} points were added; you now have {total}.",
    },
    "searching": {"zh": "我查一下资料，请稍候。", "en": "Let me look that up."},
    "ask_gap": {
        "zh": "用户咨询“{question}”，知识库无相关内容，请提供信息",
        "en": 'A customer asks "{question}", and the knowledge base has no answer. What is it?',
    },
    "checking_gap": {
        "zh": "这个问题我需要核实一下，请稍候。",
        "en": "I need to check that for you, one moment please.",
    },
}

STATUS: Mapping[str, Mapping[Language, str]] = {
    "pending": {"zh": "待支付", "en": "waiting for payment"},
    "paid": {"zh": "已付款", "en": "paid"},
    "shipped": {"zh": "已发货", "en": "on its way"},
    "delivered": {"zh": "已送达", "en": "delivered"},
    "cancelled": {"zh": "已取消", "en": "cancelled"},
    "refunded": {"zh": "已退款", "en": "refunded"},
}

TIERS: Mapping[str, Mapping[Language, str]] = {"gold": {"zh": "金卡", "en": "gold"}}
